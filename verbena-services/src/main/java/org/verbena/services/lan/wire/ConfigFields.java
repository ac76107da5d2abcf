package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;

/** The messages that are a single field, and reasons. */
public final class ConfigFields {
    /** Bytes of an address. */
    public static final int ADDRESS_LENGTH = 6;
    /** Bytes of a number. */
    public static final int NUMBER_LENGTH = 2;
    /** In place of a field of a message that is malformed. */
    public static final int MALFORMED = -1;

    private ConfigFields() {}

    /** Reads the address of SET_MAC, ADD_MAC and REMOVE_MAC. */
    public static long readAddress(MemorySegment memory, long offset, int length) {
        ConfigReader in = new ConfigReader(memory, offset, length);
        long address = in.readAddress();
        return in.isExact() ? address : MALFORMED;
    }

    /** Writes an address and returns its bytes. */
    public static int writeAddress(MemorySegment memory, long offset, long address) {
        return new ConfigWriter(memory, offset).writeAddress(address).length();
    }

    /** Reads the number of SET_MTU, of LINK_STATE (0 down, 1 up) and of STATISTICS (the first one wanted). */
    public static int readNumber(MemorySegment memory, long offset, int length) {
        ConfigReader in = new ConfigReader(memory, offset, length);
        int number = in.readShort();
        return in.isExact() ? number : MALFORMED;
    }

    /** Writes a number of 16 bits and returns its bytes. */
    public static int writeNumber(MemorySegment memory, long offset, int number) {
        return new ConfigWriter(memory, offset).writeShort(number).length();
    }

    /** Reads the reason in a reply. */
    public static String readReason(MemorySegment memory, long offset, int length) {
        return new ConfigReader(memory, offset, length).readText(length);
    }

    /** Writes a reason, cut to the room there is, and returns its bytes. */
    public static int writeReason(MemorySegment memory, long offset, int room, String reason) {
        return new ConfigWriter(memory, offset)
                .writeBytes(ConfigWriter.cut(reason, room))
                .length();
    }
}
