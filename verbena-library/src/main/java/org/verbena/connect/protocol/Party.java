package org.verbena.connect.protocol;

import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;

/** Whose conversation it is: told what happens, on the engine's thread. */
public interface Party {
    /** The peer wants to be the one who asked (peer to peer). Answer with {@link Conversation#accept} or {@link Conversation#refuse}. */
    void onPeerRequest(Req request);

    /** The peer said yes. Answer with {@link Conversation#ready} or {@link Conversation#refuse}. */
    void onReply(Rep reply);

    /** The peer is ready. */
    void onEstablished();

    /** The peer said no, or gave up. */
    void onRefused(Rej rejection);

    /** No answer came. */
    void onTimedOut();

    /** An established connection is over, by whose wish ever. */
    void onDisconnected();

    /** The adapter closes. */
    void onClosed();
}
