package org.verbena.connect.protocol;

import org.verbena.wire.mad.Req;

/** Takes the requests for a service. Called on the engine's thread. */
public interface Acceptor {
    /** Whether one more request can be taken now. */
    boolean hasRoom();

    /**
     * Takes a request, to be answered now or later. Must set the {@linkplain Conversation#owner owner} of the conversation
     * before anything else.
     */
    void onRequest(Conversation conversation, Req request);

    /** The adapter closes: no request comes any more. */
    void onClosed();
}
