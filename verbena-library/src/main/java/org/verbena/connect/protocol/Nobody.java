package org.verbena.connect.protocol;

import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;

/** Owner of a conversation whose real owner knows that it is over, while the peer does not: does nothing. */
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
