package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** Reads every field of a message that was accepted and writes them as a new message. */
final class Rewriting {
    private Rewriting() {}

    /** The new message, in exactly as many bytes. */
    static byte[] copy(MemorySegment from, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment to = MemorySegment.ofArray(bytes);
        int version = MessageHeader.version(from, at);
        long context = MessageHeader.context(from, at);
        MessageFunction function = MessageFunction.of(MessageHeader.function(from, at));
        if (function == null) {
            throw new AssertionError("accepted without a function");
        }
        switch (function) {
            case BUFFER_RECV_POOL -> {
                MessageHeader.write(to, 0, function, version, context);
                for (int i = 0; i < BufferRecvPool.pools(length); i++) {
                    BufferRecvPool.read(from, at, i).write(to, 0, i);
                }
            }
            case BUFFER_RECV_POOL_GET -> BufferRecvPoolGet.read(from, at).write(to, 0, version, context);
            case BUFFER_RECV_POOL_UPDATE -> update(from, at, length, to);
            case BUFFER_POOL_FLUSH_REQUEST -> {
                BufferPoolFlush.writeRequest(to, 0, version, context);
                for (int i = 0; i < BufferPoolFlush.references(length); i++) {
                    BufferPoolFlush.writeReference(to, 0, i, BufferPoolFlush.reference(from, at, i));
                }
            }
            case BUFFER_POOL_FLUSH_REPLY -> BufferPoolFlush.writeReply(to, 0, version, context);
            case SEND_DATA -> {
                int size = SendData.size(from, at);
                SendData.write(to, 0, version, context, size);
                MemorySegment.copy(from, at + SendData.DATA, to, SendData.DATA, size);
            }
            case BUFFER_RDMA_INDICATE -> indicate(from, at, length, to);
            case CFG_UTIL_REQUEST -> {
                int size = CfgUtilRequest.size(from, at);
                CfgUtilRequest.write(to, 0, version, context, CfgUtilRequest.operation(from, at), size);
                MemorySegment.copy(from, at + CfgUtilRequest.DATA, to, CfgUtilRequest.DATA, size);
            }
            case CFG_UTIL_REPLY -> {
                int size = CfgUtilReply.size(from, at);
                CfgUtilReply.write(to, 0, version, context, CfgUtilReply.status(from, at), size);
                MemorySegment.copy(from, at + CfgUtilReply.DATA, to, CfgUtilReply.DATA, size);
            }
        }
        return bytes;
    }

    /** Part by part: a builder would merge parts of the same pool that follow each other. */
    private static void update(MemorySegment from, long at, int length, MemorySegment to) {
        MessageHeader.write(
                to,
                0,
                MessageFunction.BUFFER_RECV_POOL_UPDATE,
                MessageHeader.version(from, at),
                MessageHeader.context(from, at));
        long part = BufferRecvPoolUpdate.firstPart(at);
        while (part < at + length) {
            int count = BufferRecvPoolUpdate.count(from, part);
            BigEndian.writeInt(to, part - at, BufferRecvPoolUpdate.reference(from, part));
            BigEndian.writeInt(to, part - at + BufferRecvPoolUpdate.COUNT, count);
            for (int i = 0; i < count; i++) {
                long element = part - at + BufferRecvPoolUpdate.PART_HEADER + 4L * i;
                BigEndian.writeInt(to, element, BufferRecvPoolUpdate.element(from, part, i));
            }
            part = BufferRecvPoolUpdate.nextPart(from, part);
        }
    }

    private static void indicate(MemorySegment from, long at, int length, MemorySegment to) {
        BufferRdmaIndicate.write(to, 0, MessageHeader.version(from, at), MessageHeader.context(from, at));
        for (int i = 0; i < BufferRdmaIndicate.transfers(length); i++) {
            BufferRdmaIndicate.writeTransfer(
                    to,
                    0,
                    i,
                    BufferRdmaIndicate.pool(from, at, i),
                    BufferRdmaIndicate.element(from, at, i),
                    BufferRdmaIndicate.size(from, at, i));
        }
    }
}
