package org.verbena.services.push;

import java.lang.foreign.MemorySegment;

/**
 * The user of a service connection. The thread that calls {@link MessagingLayer#work} calls it. Its methods must not throw; an exception ends the
 * connection, and its text is the reason.
 */
public interface ServiceHandler {
    /** The connection is open in both directions: data and requests may be sent. */
    void onOpen();

    /**
     * Data have arrived. The memory belongs to the handler until it returns.
     *
     * @param memory holds the data
     * @param offset of their first byte
     * @param length their bytes
     */
    void onData(MemorySegment memory, long offset, int length);

    /**
     * The peer asks for something: CfgUtilRequest.
     *
     * @param operation 32 bits that the user defines, {@link ServiceConnection#OPERATION_FIRST} or more
     * @param request memory that holds the data of the request, the handler's until it returns
     * @param offset of their first byte
     * @param length their bytes
     * @param reply takes the data of the reply
     * @return the status of the reply: 0 for success, other values as the user defines
     */
    int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply);

    /**
     * The peer has answered a request: CfgUtilReply.
     *
     * @param context that {@link ServiceConnection#request} gave
     * @param status of the reply
     * @param reply memory that holds the data of the reply, the handler's until it returns
     * @param offset of their first byte
     * @param length their bytes
     */
    void onReply(long context, int status, MemorySegment reply, long offset, int length);

    /**
     * The connection is over, or could not be made. Nothing follows. Requests without a reply get none.
     *
     * @param reason one sentence, for people
     */
    void onClosed(String reason);
}
