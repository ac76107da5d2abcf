package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads the fields of a message one after the other. Behind the end of the message it reads zeros, and remembers that. */
final class ConfigReader {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment memory;
    private final long end;
    private long at;
    private boolean beyond;

    ConfigReader(MemorySegment memory, long offset, int length) {
        this.memory = memory;
        this.at = offset;
        this.end = offset + length;
    }

    private boolean has(int bytes) {
        beyond |= end - at < bytes;
        return !beyond;
    }

    int readByte() {
        return has(1) ? memory.get(ValueLayout.JAVA_BYTE, at++) & 0xff : 0;
    }

    int readShort() {
        if (!has(2)) {
            return 0;
        }
        at += 2;
        return memory.get(SHORT, at - 2) & 0xffff;
    }

    long readLong() {
        if (!has(8)) {
            return 0;
        }
        at += 8;
        return memory.get(LONG, at - 8);
    }

    /** 48 bits. */
    long readAddress() {
        return (long) readShort() << 32 | (long) readShort() << 16 | readShort();
    }

    String readText(int bytes) {
        if (!has(bytes)) {
            return "";
        }
        byte[] text = new byte[bytes];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, text, 0, bytes);
        at += bytes;
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Bytes that are left. */
    int left() {
        return (int) (end - at);
    }

    /** Whether all fields were in the message, and nothing behind them. */
    boolean isExact() {
        return !beyond && at == end;
    }
}
