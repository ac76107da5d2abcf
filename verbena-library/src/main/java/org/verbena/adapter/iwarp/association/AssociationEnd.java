package org.verbena.adapter.iwarp.association;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.ddp.DdpWindow;
import org.verbena.adapter.iwarp.rdmap.RdmapConnection;
import org.verbena.adapter.iwarp.rdmap.RdmapOwner;
import org.verbena.adapter.pair.Pair;
import org.verbena.link.Address;
import org.verbena.link.association.Association;
import org.verbena.link.association.MessageTaker;
import org.verbena.wire.iwarp.TerminateCode;

/** One association and the connection on it. A segment that has to wait is offered again by the association. */
final class AssociationEnd implements RdmapOwner, MessageTaker {
    private final AssociationPort port;
    private final Address remote;
    private final Association association;
    private final int readsMax;
    private @Nullable Pair pair;
    private @Nullable RdmapConnection connection;
    private @Nullable DdpWindow window;
    private @Nullable AssociationChannel channel;
    private boolean ended;
    private boolean outputEnded;

    AssociationEnd(AssociationPort port, Address remote, Association association, int readsMax) {
        this.port = port;
        this.remote = remote;
        this.association = association;
        this.readsMax = readsMax;
    }

    RdmapConnection attach(Pair owner, EngineParts parts) {
        AssociationChannel made = new AssociationChannel(association, parts.time());
        RdmapConnection opened = new RdmapConnection(owner, parts, made, readsMax, readsMax, this);
        pair = owner;
        channel = made;
        window = new DdpWindow(opened.input());
        connection = opened;
        return opened;
    }

    int receive(long nowNs, int max) {
        RdmapConnection to = connection;
        if (to == null || ended) {
            return 0;
        }
        int offered = association.receive(nowNs, max, this);
        if (!ended && association.isEnded()) {
            to.onStreamEnd(null);
        }
        return offered;
    }

    @Override
    public boolean onMessage(long number, MemorySegment memory, long at, int length) {
        return ended || window == null || window.onSegment(number, memory, at, length) != Intake.LATER;
    }

    long nextNs() {
        return ended ? Long.MAX_VALUE : association.nextNs();
    }

    void flush() {
        RdmapConnection from = connection;
        if (from == null || channel == null) {
            return;
        }
        if (from.draft().isPending()) {
            from.draft().send(channel);
        }
        if (!ended) {
            from.onRoom();
        } else if (!outputEnded && !from.draft().isPending()) {
            outputEnded = true;
            association.endOutput();
        }
    }

    @Override
    public String peer() {
        return remote.toString();
    }

    /** The association offers again by itself what was left for later. */
    @Override
    public void onInputWanted() {}

    @Override
    public void onTerminated(@Nullable TerminateCode reason) {}

    @Override
    public void onEnded() {
        if (!ended) {
            ended = true;
            if (window != null) {
                window.stop();
            }
        }
    }

    void onMemoryFault() {
        if (pair != null) {
            pair.onMemoryFault();
        }
    }

    @Override
    public void onDetached() {
        onEnded();
        association.close();
        port.detach(this);
    }
}
