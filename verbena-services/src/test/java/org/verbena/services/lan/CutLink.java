package org.verbena.services.lan;

import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;

/** A link that can be cut: then packets are lost in both directions. */
final class CutLink extends ForwardingLink {
    private boolean cut;

    CutLink(Link inner) {
        super(inner);
    }

    void cut(boolean yes) {
        cut = yes;
    }

    @Override
    public void commit(Packet packet) {
        if (cut) {
            inner.abandon(packet);
        } else {
            inner.commit(packet);
        }
    }

    @Override
    public int receive(PacketHandler target, int limit) {
        return inner.receive(cut ? packet -> {} : target, limit);
    }
}
