package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The name of a node for people. */
public final class NodeDescription {
    public static final int ATTRIBUTE = 0x0010;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;

    private NodeDescription() {}

    /** The text up to its first zero byte. */
    public static String read(MemorySegment segment, long at) {
        byte[] bytes = segment.asSlice(at, LENGTH).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < LENGTH && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Writes the first 64 bytes of a text in UTF-8, and zeros behind it. */
    public static void write(MemorySegment segment, long at, String text) {
        write(segment, at, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the first 64 bytes of a text, and zeros behind it. */
    public static void write(MemorySegment segment, long at, byte[] text) {
        int length = Math.min(text.length, LENGTH);
        MemorySegment.copy(text, 0, segment, ValueLayout.JAVA_BYTE, at, length);
        segment.asSlice(at + length, LENGTH - length).fill((byte) 0);
    }
}
