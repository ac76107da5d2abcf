package org.verbena.manage;

/** Speeds of one lane of a cable. */
public enum LinkSpeed {
    SDR(1, 0, 2_500_000_000L, 8, 10),
    DDR(2, 0, 5_000_000_000L, 8, 10),
    QDR(4, 0, 10_000_000_000L, 8, 10),
    /** Vendor's: QDR's bit in PortInfo, bit 0 in the vendor's ExtendedPortInfo. */
    FDR10(4, 0, 10_312_500_000L, 64, 66),
    FDR(0, 1, 14_062_500_000L, 64, 66),
    EDR(0, 2, 25_781_250_000L, 64, 66),
    HDR(0, 4, 53_125_000_000L, 64, 66),
    NDR(0, 8, 106_250_000_000L, 64, 66);

    private final int bit;
    private final int extendedBit;
    private final long signalBitsPerSecond;
    private final int dataBits;
    private final int codeBits;

    LinkSpeed(int bit, int extendedBit, long signalBitsPerSecond, int dataBits, int codeBits) {
        this.bit = bit;
        this.extendedBit = extendedBit;
        this.signalBitsPerSecond = signalBitsPerSecond;
        this.dataBits = dataBits;
        this.codeBits = codeBits;
    }

    /** Its bit in the speed fields of PortInfo; 0 for an extended speed. */
    public int bit() {
        return bit;
    }

    /** Its bit in the extended speed fields of PortInfo; 0 for a speed that is not extended. */
    public int extendedBit() {
        return extendedBit;
    }

    /** Bits of packets per second and lane, without the line code. */
    public long bitsPerSecond() {
        return signalBitsPerSecond / codeBits * dataBits;
    }
}
