package org.verbena.connect.protocol;

import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;

/** The owner of a conversation: told on the engine's thread what happens. */
public interface Party {
    /** Peer to peer, the peer's request counts. Answer with {@link Conversation#accept} or {@link Conversation#refuse}. */
    void onPeerRequest(Req request);

    /** The peer has accepted the request. Answer with {@link Conversation#ready} or {@link Conversation#refuse}. */
    void onReply(Rep reply);

    /** The peer is ready: both ends may send. */
    void onEstablished();

    /** The peer has rejected the request, or has given up. */
    void onRefused(Rej rejection);

    /** No answer has come. */
    void onTimedOut();

    /** An established connection is over; either end may have asked for it. */
    void onDisconnected();

    /** The adapter closes. */
    void onClosed();
}
