package org.verbena.services.push.wire;

import org.jspecify.annotations.Nullable;

/** What a message is for: the first field of its header. */
public enum MessageFunction {
    /** The target offers pools. */
    BUFFER_RECV_POOL(1, "BufferRecvPool"),
    /** The initiator asks for a pool. */
    BUFFER_RECV_POOL_GET(2, "BufferRecvPoolGet"),
    /** The target returns elements. */
    BUFFER_RECV_POOL_UPDATE(3, "BufferRecvPoolUpdate"),
    /** An end wants pools to be freed. */
    BUFFER_POOL_FLUSH_REQUEST(4, "BufferPoolFlushRequest"),
    /** The other end agrees. */
    BUFFER_POOL_FLUSH_REPLY(5, "BufferPoolFlushReply"),
    /** Data in the message itself. */
    SEND_DATA(6, "SendData"),
    /** The initiator indicates transfers that do not fit in immediate data. */
    BUFFER_RDMA_INDICATE(7, "BufferRDMAIndicate"),
    /** A request of the layer or of its user. */
    CFG_UTIL_REQUEST(8, "CfgUtilRequest"),
    /** The reply to it. */
    CFG_UTIL_REPLY(9, "CfgUtilReply");

    private static final MessageFunction[] ALL = values();

    private final int code;
    private final String title;

    MessageFunction(int code, String title) {
        this.code = code;
        this.title = title;
    }

    /** The function of a code; null if no message has it. */
    public static @Nullable MessageFunction of(int code) {
        return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
    }

    /** Its number in a header. */
    public int code() {
        return code;
    }

    /** Its name in the reference page. */
    public String title() {
        return title;
    }
}
