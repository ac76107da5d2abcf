package org.verbena.connect.protocol;

import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;

/** Whose conversation it is when the owner has been told that it is over, and the peer has not: nothing is of interest. */
final class Nobody implements Party {
    static final Nobody INSTANCE = new Nobody();

    private Nobody() {}

    @Override
    public void onPeerRequest(Req request) {}

    @Override
    public void onReply(Rep reply) {}

    @Override
    public void onEstablished() {}

    @Override
    public void onRefused(Rej rejection) {}

    @Override
    public void onTimedOut() {}

    @Override
    public void onDisconnected() {}

    @Override
    public void onClosed() {}
}
