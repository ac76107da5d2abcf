package org.verbena.wire.ib;

/** Headers that may stand between the {@link Bth} and the payload, in the order in which they do. */
public enum Extension {
    RDETH(0, Rdeth.LENGTH),
    DETH(1, Deth.LENGTH),
    XRCETH(2, Xrceth.LENGTH),
    FETH(3, Feth.LENGTH),
    RETH(4, Reth.LENGTH),
    ATOMIC_ETH(5, AtomicEth.LENGTH),
    AETH(6, Aeth.LENGTH),
    ATOMIC_ACK_ETH(7, AtomicAckEth.LENGTH),
    IMMDT(8, ImmDt.LENGTH),
    IETH(9, Ieth.LENGTH),
    /** Sixteen zero bytes of a congestion notification. */
    CNP_RESERVED(10, 16);

    private final int place;
    private final int length;

    Extension(int place, int length) {
        this.place = place;
        this.length = length;
    }

    /** A small number of its own, 0 … 15, for tables. */
    int place() {
        return place;
    }

    /** Its length in bytes. */
    public int length() {
        return length;
    }
}
