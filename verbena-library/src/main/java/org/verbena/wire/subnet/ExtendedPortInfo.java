package org.verbena.wire.subnet;

/** A vendor's attribute of a port with the speed FDR10; the modifier is the port. */
public final class ExtendedPortInfo {
    public static final int ATTRIBUTE = 0xff90;
    /** Bytes of the attribute. */
    public static final int LENGTH = 16;
    /** The bit of FDR10 in the speeds. */
    public static final int FDR10 = 1;

    public static final Field STATE_CHANGE_ENABLE = Field.bytes(3, 1);
    public static final Field SPEED_SUPPORTED = Field.bytes(7, 1);
    public static final Field SPEED_ENABLED = Field.bytes(11, 1);
    public static final Field SPEED_ACTIVE = Field.bytes(15, 1);

    private ExtendedPortInfo() {}
}
