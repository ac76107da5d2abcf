package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.time.Seed;

/** Valid messages with contents by chance, each in exactly as many bytes as it has. */
final class Samples {
    private final Seed seed;

    Samples(Seed seed) {
        this.seed = seed;
    }

    /** A message of this function, with this many pools, references, transfers, parts or bytes of data. */
    byte[] message(MessageFunction function, int parts) {
        int version = Messages.VERSION_HIGHEST;
        long context = seed.nextLong();
        byte[] bytes = new byte[length(function, parts)];
        MemorySegment to = MemorySegment.ofArray(bytes);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) seed.nextInt();
        }
        MessageHeader.write(to, 0, function, version, context);
        switch (function) {
            case BUFFER_RECV_POOL, BUFFER_POOL_FLUSH_REQUEST, BUFFER_POOL_FLUSH_REPLY, BUFFER_RDMA_INDICATE -> {}
            case BUFFER_RECV_POOL_GET ->
                new BufferRecvPoolGet(seed.nextInt(), seed.nextInt()).write(to, 0, version, context);
            case BUFFER_RECV_POOL_UPDATE -> {
                return update(parts, version, context);
            }
            case SEND_DATA -> SendData.write(to, 0, version, context, parts);
            case CFG_UTIL_REQUEST -> CfgUtilRequest.write(to, 0, version, context, seed.nextInt(), parts);
            case CFG_UTIL_REPLY -> CfgUtilReply.write(to, 0, version, context, seed.nextInt(), parts);
        }
        return bytes;
    }

    /** A message of any function, with at most this many parts. */
    byte[] message(int partsMax) {
        return message(MessageFunction.values()[seed.nextInt(9)], 1 + seed.nextInt(partsMax));
    }

    private static int length(MessageFunction function, int parts) {
        return switch (function) {
            case BUFFER_RECV_POOL -> BufferRecvPool.messageLength(parts);
            case BUFFER_RECV_POOL_GET -> BufferRecvPoolGet.MESSAGE_LENGTH;
            case BUFFER_RECV_POOL_UPDATE -> 12;
            case BUFFER_POOL_FLUSH_REQUEST -> BufferPoolFlush.requestLength(parts);
            case BUFFER_POOL_FLUSH_REPLY -> BufferPoolFlush.REPLY_LENGTH;
            case SEND_DATA -> SendData.messageLength(parts);
            case BUFFER_RDMA_INDICATE -> BufferRdmaIndicate.messageLength(parts);
            case CFG_UTIL_REQUEST -> CfgUtilRequest.messageLength(parts);
            case CFG_UTIL_REPLY -> CfgUtilReply.messageLength(parts);
        };
    }

    private byte[] update(int parts, int version, long context) {
        byte[] room = new byte[12 + parts * (8 + 4 * 8)];
        UpdateBuilder builder = new UpdateBuilder();
        builder.begin(MemorySegment.ofArray(room), 0, room.length, version, context);
        int reference = seed.nextInt();
        for (int part = 0; part < parts; part++) {
            reference += 1 + seed.nextInt(1 << 20);
            int count = 1 + seed.nextInt(8);
            for (int i = 0; i < count; i++) {
                if (!builder.add(reference, seed.nextInt())) {
                    throw new AssertionError("there is room for 8 elements a part");
                }
            }
        }
        return Arrays.copyOf(room, builder.length());
    }
}
