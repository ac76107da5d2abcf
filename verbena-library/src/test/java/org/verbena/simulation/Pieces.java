package org.verbena.simulation;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.verbena.time.Seed;
import org.verbena.verbs.LocalSegment;

/** Bytes of a zone in the order of a message: a gather or scatter list before it has keys. */
final class Pieces {
    private final long[] offsets;
    private final long[] lengths;
    private final long total;

    private Pieces(long[] offsets, long[] lengths) {
        this.offsets = offsets;
        this.lengths = lengths;
        long sum = 0;
        for (long length : lengths) {
            sum += length;
        }
        this.total = sum;
    }

    static Pieces one(long offset, long length) {
        return new Pieces(new long[] {offset}, new long[] {length});
    }

    /** At most {@code most} pieces of {@code length} bytes in all, anywhere in the first {@code room} bytes of a zone. */
    static Pieces anywhere(Seed seed, long length, long room, int most) {
        long[] lengths = cut(seed, length, most, room);
        long[] offsets = new long[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i] = below(seed, room - lengths[i] + 1);
        }
        return new Pieces(offsets, lengths);
    }

    /** Pieces one behind another from an offset on, with gaps of at most {@code gapMax} bytes that nothing may touch. */
    static Pieces spaced(Seed seed, long offset, long length, int most, int gapMax) {
        long[] lengths = cut(seed, length, most, Long.MAX_VALUE);
        long[] offsets = new long[lengths.length];
        long at = offset;
        for (int i = 0; i < lengths.length; i++) {
            offsets[i] = at;
            at += lengths[i] + seed.nextInt(gapMax + 1);
        }
        return new Pieces(offsets, lengths);
    }

    private static long[] cut(Seed seed, long length, int most, long pieceMax) {
        int count = Math.max(1 + seed.nextInt(most), (int) Math.min(most, Math.ceilDiv(length, pieceMax)));
        long[] lengths = new long[count];
        long left = length;
        for (int i = 0; i < count; i++) {
            long later = count - 1L - i;
            long least = Math.max(0, left - later * Math.min(pieceMax, left));
            long largest = Math.min(pieceMax, left);
            lengths[i] = later == 0 ? left : least + below(seed, largest - least + 1);
            left -= lengths[i];
        }
        return lengths;
    }

    static long below(Seed seed, long bound) {
        return (seed.nextLong() >>> 1) % bound;
    }

    long total() {
        return total;
    }

    int count() {
        return offsets.length;
    }

    long offset(int index) {
        return offsets[index];
    }

    long length(int index) {
        return lengths[index];
    }

    List<LocalSegment> in(Zone zone) {
        var list = new ArrayList<LocalSegment>(offsets.length);
        for (int i = 0; i < offsets.length; i++) {
            list.add(zone.local(offsets[i], lengths[i]));
        }
        return list;
    }

    /** The first {@code length} bytes of these pieces of the source go where the target's pieces are. */
    static void copy(MemorySegment source, Pieces from, MemorySegment target, Pieces to, long length) {
        walk(from, to, length, (fromAt, toAt, step) -> {
            MemorySegment.copy(source, fromAt, target, toAt, step);
            return true;
        });
    }

    /** Whether the first {@code length} bytes of these pieces of a zone, as they are, are those of the source. */
    static boolean matches(MemorySegment source, Pieces from, Zone zone, Pieces to, long length) {
        return walk(
                from,
                to,
                length,
                (fromAt, toAt, step) -> source.asSlice(fromAt, step).mismatch(zone.view(toAt, step)) == -1);
    }

    private interface Step {
        boolean take(long fromAt, long toAt, long length);
    }

    private static boolean walk(Pieces from, Pieces to, long length, Step step) {
        int f = 0;
        int t = 0;
        long intoF = 0;
        long intoT = 0;
        for (long left = length; left > 0; ) {
            long part = Math.min(left, Math.min(from.lengths[f] - intoF, to.lengths[t] - intoT));
            if (part > 0 && !step.take(from.offsets[f] + intoF, to.offsets[t] + intoT, part)) {
                return false;
            }
            left -= part;
            intoF += part;
            intoT += part;
            if (intoF == from.lengths[f]) {
                f++;
                intoF = 0;
            }
            if (intoT == to.lengths[t]) {
                t++;
                intoT = 0;
            }
        }
        return true;
    }
}
