package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data of the reply to STATISTICS: as many as fit in a message. A host asks for the next page with the number of the first one that it does not have.
 *
 * @param total statistics in all
 * @param first number of the first of this page
 * @param entries of this page
 */
public record StatisticsPage(int total, int first, List<Entry> entries) {
    /** Bytes without entries. */
    public static final int LENGTH = 6;
    /** Bytes of a name at most. */
    public static final int NAME_BYTES_MAX = 63;

    /**
     * One of them.
     *
     * @param name at most {@value #NAME_BYTES_MAX} characters of ASCII
     * @param value of the counter
     */
    public record Entry(String name, long value) {
        private int bytes() {
            return 9 + name.length();
        }
    }

    /** Reads it; null if it is malformed. */
    public static @Nullable StatisticsPage read(MemorySegment memory, long offset, int length) {
        ConfigReader in = new ConfigReader(memory, offset, length);
        int total = in.readShort();
        int first = in.readShort();
        int count = in.readShort();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count && in.left() > 0; i++) {
            long value = in.readLong();
            int nameBytes = in.readByte();
            if (nameBytes > NAME_BYTES_MAX) {
                return null;
            }
            entries.add(new Entry(in.readText(nameBytes), value));
        }
        return in.isExact() && entries.size() == count && first + count <= total
                ? new StatisticsPage(total, first, List.copyOf(entries))
                : null;
    }

    /** The page that begins with one of all statistics and has as many as fit in the room; none if that one does not exist. */
    public static StatisticsPage of(List<Entry> all, int first, int room) {
        int start = Math.min(first, all.size());
        int end = start;
        for (int bytes = LENGTH; end < all.size(); end++) {
            bytes += all.get(end).bytes();
            if (bytes > room) {
                break;
            }
        }
        return new StatisticsPage(all.size(), start, List.copyOf(all.subList(start, end)));
    }

    /** Writes it and returns its bytes. */
    public int write(MemorySegment memory, long offset) {
        ConfigWriter out = new ConfigWriter(memory, offset)
                .writeShort(total)
                .writeShort(first)
                .writeShort(entries.size());
        for (Entry entry : entries) {
            out.writeLong(entry.value())
                    .writeByte(entry.name().length())
                    .writeBytes(entry.name().getBytes(StandardCharsets.US_ASCII));
        }
        return out.length();
    }
}
