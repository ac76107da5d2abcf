package org.verbena.exchange;

import org.jspecify.annotations.Nullable;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.ThreeSwitches;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;

/** Links at ports of a fabric of three switches, which is made with the first one and closed with the last one. */
final class FabricSites {
    private static final int HOSTS = 24;
    /** A fabric on which nothing happens for this time is still, or waits for a receiver. */
    private static final long STILL_NS = 100_000;

    private final boolean live;
    private @Nullable ThreeSwitches switches;
    private int open;

    /** @param live in the machine's time, driven by a thread; else time does not pass for the users of the links */
    FabricSites(boolean live) {
        this.live = live;
    }

    synchronized Link open() {
        ThreeSwitches there = switches;
        if (there == null) {
            there = new ThreeSwitches(HOSTS);
            switches = there;
            if (live) {
                there.fabric().start();
            }
        }
        open++;
        return new SiteLink(there.open(), there.fabric());
    }

    private synchronized void onClosed() {
        ThreeSwitches there = switches;
        if (--open == 0 && there != null) {
            switches = null;
            there.close();
        }
    }

    /** A link that lets the fabric carry all packets where it is used, if no thread drives the fabric. */
    private final class SiteLink extends ForwardingLink {
        private final Fabric fabric;
        private boolean closed;

        SiteLink(Link inner, Fabric fabric) {
            super(inner);
            this.fabric = fabric;
        }

        @Override
        public int flush() {
            int packets = inner.flush();
            carry();
            return packets;
        }

        @Override
        public int receive(PacketHandler handler, int limit) {
            carry();
            return inner.receive(handler, limit);
        }

        @Override
        public void commit(Packet packet) {
            inner.commit(packet);
            carry();
        }

        private void carry() {
            while (!live && fabric.nextEventNs() != Long.MAX_VALUE) {
                long fromNs = fabric.nowNs();
                long hops = fabric.hops();
                fabric.run(fromNs + STILL_NS);
                if (fabric.nowNs() == fromNs + STILL_NS && fabric.hops() == hops) {
                    break;
                }
            }
        }

        @Override
        public void close() {
            inner.close();
            if (!closed) {
                closed = true;
                carry();
                onClosed();
            }
        }
    }
}
