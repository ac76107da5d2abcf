package org.verbena.wire.subnet;

/** The lamp of a port, by which people find it; the modifier is the port. */
public final class LedInfo {
    public static final int ATTRIBUTE = 0x0031;
    /** Bytes of the attribute. */
    public static final int LENGTH = 4;

    /** Whether the lamp is on. */
    public static final Field LED = Field.of(0, 7, 1);

    private LedInfo() {}
}
