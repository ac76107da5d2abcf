package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The check that every message passes before it is read. */
public final class Messages {
    /** The lowest version that this code speaks. */
    public static final int VERSION_LOWEST = 1;
    /** The highest version that this code speaks. */
    public static final int VERSION_HIGHEST = 1;

    private Messages() {}

    /**
     * Judges a message by its bytes alone. Reads nothing outside them, changes nothing, throws nothing, allocates nothing.
     *
     * @param segment holds the message. No other thread may change the message between this call and the reading
     * @param at offset of its first byte
     * @param length its bytes
     * @param version that the ends have agreed on
     * @return null if the class of its function can read it
     */
    public static @Nullable Refusal judge(MemorySegment segment, long at, int length, int version) {
        if (length < MessageHeader.LENGTH) {
            return Refusal.TOO_SHORT;
        }
        if (MessageHeader.version(segment, at) != version) {
            return Refusal.WRONG_VERSION;
        }
        MessageFunction function = MessageFunction.of(MessageHeader.function(segment, at));
        if (function == null) {
            return Refusal.UNKNOWN_FUNCTION;
        }
        return switch (function) {
            case BUFFER_RECV_POOL -> judgeParts(length, BufferRecvPool.LENGTH);
            case BUFFER_RECV_POOL_GET -> judgeLength(length, BufferRecvPoolGet.MESSAGE_LENGTH);
            case BUFFER_RECV_POOL_UPDATE -> BufferRecvPoolUpdate.judge(segment, at, length);
            case BUFFER_POOL_FLUSH_REQUEST -> judgeParts(length, BufferPoolFlush.PART);
            case BUFFER_POOL_FLUSH_REPLY -> judgeLength(length, BufferPoolFlush.REPLY_LENGTH);
            case SEND_DATA -> judgeData(segment, at, length, SendData.SIZE);
            case BUFFER_RDMA_INDICATE -> judgeParts(length, BufferRdmaIndicate.PART);
            case CFG_UTIL_REQUEST -> judgeData(segment, at, length, CfgUtilRequest.SIZE);
            case CFG_UTIL_REPLY -> judgeData(segment, at, length, CfgUtilReply.SIZE);
        };
    }

    private static @Nullable Refusal judgeLength(int found, int expected) {
        return found == expected ? null : Refusal.BAD_LENGTH;
    }

    private static @Nullable Refusal judgeParts(int length, int part) {
        int parts = length - MessageHeader.LENGTH;
        return parts > 0 && parts % part == 0 ? null : Refusal.BAD_LENGTH;
    }

    /** The size is the last field before the data. */
    private static @Nullable Refusal judgeData(MemorySegment segment, long at, int length, int sizeAt) {
        int data = sizeAt + Integer.BYTES;
        return length >= data && BigEndian.readInt(segment, at + sizeAt) == length - data ? null : Refusal.BAD_LENGTH;
    }

    /** One sentence about a message that {@link #judge} refuses: the reason, the bytes that were found and those that were expected. Allocates. */
    public static String explain(Refusal refusal, MemorySegment segment, long at, int length, int version) {
        if (length < MessageHeader.LENGTH) {
            return refusal.reason() + ": found " + length + " bytes, expected " + MessageHeader.LENGTH + " or more";
        }
        int code = MessageHeader.function(segment, at);
        MessageFunction function = MessageFunction.of(code);
        String name = function == null ? "function " + code : function.title();
        return name + ": " + refusal.reason()
                + switch (refusal) {
                    case WRONG_VERSION -> ": found " + MessageHeader.version(segment, at) + ", expected " + version;
                    case UNKNOWN_FUNCTION -> ": expected 1 … " + MessageFunction.values().length;
                    case BAD_LENGTH, BAD_COUNT ->
                        ": found " + length + " bytes"
                                + (function == null ? "" : ", expected " + expected(function, segment, at, length));
                    default -> "";
                };
    }

    private static String expected(MessageFunction function, MemorySegment segment, long at, int length) {
        return switch (function) {
            case BUFFER_RECV_POOL -> parts(BufferRecvPool.LENGTH);
            case BUFFER_RECV_POOL_GET -> Integer.toString(BufferRecvPoolGet.MESSAGE_LENGTH);
            case BUFFER_RECV_POOL_UPDATE ->
                MessageHeader.LENGTH + " and parts of " + BufferRecvPoolUpdate.PART_HEADER + " + "
                        + BufferRecvPoolUpdate.ELEMENT + " × count, at least one, each with a count of at least 1";
            case BUFFER_POOL_FLUSH_REQUEST -> parts(BufferPoolFlush.PART);
            case BUFFER_POOL_FLUSH_REPLY -> Integer.toString(BufferPoolFlush.REPLY_LENGTH);
            case SEND_DATA -> data(segment, at, length, SendData.SIZE);
            case BUFFER_RDMA_INDICATE -> parts(BufferRdmaIndicate.PART);
            case CFG_UTIL_REQUEST -> data(segment, at, length, CfgUtilRequest.SIZE);
            case CFG_UTIL_REPLY -> data(segment, at, length, CfgUtilReply.SIZE);
        };
    }

    private static String parts(int part) {
        return MessageHeader.LENGTH + " + " + part + " × k, k at least 1";
    }

    private static String data(MemorySegment segment, long at, int length, int sizeAt) {
        int data = sizeAt + Integer.BYTES;
        return length < data
                ? data + " or more"
                : data + " + " + Integer.toUnsignedString(BigEndian.readInt(segment, at + sizeAt))
                        + " as its size says";
    }
}
