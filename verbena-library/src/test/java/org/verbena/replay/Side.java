package org.verbena.replay;

/** Who of the two is replaced. */
enum Side {
    SERVER,
    CLIENT;

    private static final int SERVER_IPV4 = 11;
    private static final int SERVER_IPV6 = 0x11;

    /** Whether this side sent the packet: 198.51.100.11 and fd00:5dca::11 are the server in every capture. */
    boolean sent(CapturedPacket packet) {
        int last = (int) packet.source().low() & 0xff;
        boolean fromServer = last == (packet.source().ipv6() ? SERVER_IPV6 : SERVER_IPV4);
        return fromServer == (this == SERVER);
    }
}
