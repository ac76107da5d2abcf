package org.verbena.connect.protocol;

import org.verbena.wire.mad.Req;

/** Who listens for a service. */
public interface Acceptor {
    /** Whether one more request is welcome now. */
    boolean hasRoom();

    /** A request came, to be answered now or later. The first thing is to say {@linkplain Conversation#owner whose} it is. */
    void onRequest(Conversation conversation, Req request);

    /** The adapter closes: nothing will come any more. */
    void onClosed();
}
