package org.verbena.services.lan;

/** What a unit knows of a host that is attached. */
final class UnitHost {
    final int port;
    final String name;
    final long identity;
    final boolean offloads;
    final FrameOutlet outlet;
    final HostShare share;
    final LanCounters counters = new LanCounters();
    /** The first address; and that after ATTACH. */
    long address;

    final long addressFirst;
    int mtu;
    final int mtuFirst;

    UnitHost(
            int port,
            String name,
            long identity,
            boolean offloads,
            long address,
            int mtu,
            FrameOutlet outlet,
            int sendsMax) {
        this.port = port;
        this.name = name;
        this.identity = identity;
        this.offloads = offloads;
        this.outlet = outlet;
        this.share = new HostShare(sendsMax);
        this.address = address;
        this.addressFirst = address;
        this.mtu = mtu;
        this.mtuFirst = mtu;
    }
}
