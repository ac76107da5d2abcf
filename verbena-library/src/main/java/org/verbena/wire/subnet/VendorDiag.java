package org.verbena.wire.subnet;

/** Diagnostic data of a vendor; the modifier is the index. Bytes 2 – 63 are the vendor's. */
public final class VendorDiag {
    public static final int ATTRIBUTE = 0x0030;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;

    /** The next index with data; 0: there is none. */
    public static final Field NEXT_INDEX = Field.bytes(0, 2);

    private VendorDiag() {}
}
