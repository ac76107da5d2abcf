package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the fields of a message one after the other. The caller has room for them. */
final class ConfigWriter {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment memory;
    private final long start;
    private long at;

    ConfigWriter(MemorySegment memory, long offset) {
        this.memory = memory;
        this.start = offset;
        this.at = offset;
    }

    ConfigWriter writeByte(int value) {
        memory.set(ValueLayout.JAVA_BYTE, at++, (byte) value);
        return this;
    }

    ConfigWriter writeShort(int value) {
        memory.set(SHORT, at, (short) value);
        at += 2;
        return this;
    }

    ConfigWriter writeLong(long value) {
        memory.set(LONG, at, value);
        at += 8;
        return this;
    }

    /** 48 bits. */
    ConfigWriter writeAddress(long value) {
        return writeShort((int) (value >>> 32)).writeShort((int) (value >>> 16)).writeShort((int) value);
    }

    ConfigWriter writeBytes(byte[] bytes) {
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
        at += bytes.length;
        return this;
    }

    /** Bytes written. */
    int length() {
        return (int) (at - start);
    }

    /** Text in UTF-8, cut behind its last whole character within a number of bytes. */
    static byte[] cut(String text, int bytesMax) {
        ByteBuffer bytes = ByteBuffer.allocate(bytesMax);
        StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text), bytes, true);
        byte[] cut = new byte[bytes.position()];
        bytes.flip().get(cut);
        return cut;
    }
}
