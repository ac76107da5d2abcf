package org.verbena.wire.pcap;

/** A capture is not what its format demands. The message says where, what was found and what was expected. */
public final class PcapFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PcapFormatException(long at, String found, String expected) {
        super("capture, byte " + at + ": found " + found + ", expected " + expected);
    }
}
