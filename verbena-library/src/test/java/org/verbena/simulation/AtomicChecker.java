package org.verbena.simulation;

import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.verbena.Operation;

/**
 * Atomics on cells that many lanes use are executed exactly once each, in some order. Additions are all of one, so each
 * must find another value below the sum; swaps all bring a value of their own, so those that succeeded must form one
 * chain from the first value to the last.
 */
final class AtomicChecker implements Checker {
    /** What is known of a cell. Cells of even number are added to, the others swapped. */
    private static final class Cell {
        private final BitSet found = new BitSet();
        private final Map<Long, Long> swaps = new HashMap<>();
        /** By what they would have put there, what they would have replaced: swaps of failed lanes. */
        private final Map<Long, Long> doubtfulSwaps = new HashMap<>();

        private long doubtfulSums;
        private long start;
        private long posted;
    }

    private record Place(Zone zone, long offset) {
        boolean isSum() {
            return offset % 16 == 0;
        }
    }

    private final Map<Place, Cell> cells = new LinkedHashMap<>();

    @Override
    public void onPosted(Intent intent) {
        if (intent instanceof Intent.Atomic atomic && atomic.shared()) {
            cell(atomic).posted++;
        }
    }

    private Cell cell(Intent.Atomic atomic) {
        return cells.computeIfAbsent(new Place(atomic.cells(), atomic.cell()), place -> {
            Cell cell = new Cell();
            cell.start = place.zone().shadow().get(ValueLayout.JAVA_LONG_UNALIGNED, place.offset());
            return cell;
        });
    }

    @Override
    public void onDone(Intent intent) {
        if (!(intent instanceof Intent.Atomic atomic) || !atomic.shared()) {
            return;
        }
        Cell cell = cell(atomic);
        long original = atomic.lane().landing().readLong(atomic.landing().offset(0));
        if (atomic.operation() == Operation.FETCH_ADD) {
            long index = original - cell.start;
            if (index < 0 || index >= cell.posted || cell.found.get((int) index)) {
                throw new AssertionError(atomic + " found " + original + ", as another did or none could");
            }
            cell.found.set((int) index);
        } else if (original == atomic.first() && cell.swaps.put(original, atomic.second()) != null) {
            throw new AssertionError(atomic + " replaced " + original + ", which another had replaced");
        }
    }

    @Override
    public void onFailed(Lane lane) {
        for (Intent intent : lane.outstanding) {
            if (!(intent instanceof Intent.Atomic atomic) || !atomic.shared()) {
                continue;
            }
            if (atomic.operation() == Operation.FETCH_ADD) {
                cell(atomic).doubtfulSums++;
            } else {
                cell(atomic).doubtfulSwaps.put(atomic.second(), atomic.first());
            }
        }
    }

    @Override
    public void onQuiet() {
        cells.forEach((place, cell) -> {
            long found = place.zone().readLong(place.offset());
            long expected = place.isSum() ? sum(cell, found) : endOfChain(place, cell, found);
            // From here on the shadow knows; the memory checker compares.
            place.zone().shadow().set(ValueLayout.JAVA_LONG_UNALIGNED, place.offset(), expected);
            if (place.zone().readLong(place.offset()) != expected) {
                throw new AssertionError("cell " + place.offset() + " of "
                        + place.zone().name() + " has "
                        + place.zone().readLong(place.offset()) + " after " + cell.posted + " atomics; expected "
                        + expected);
            }
        });
    }

    private static long sum(Cell cell, long found) {
        long sure = cell.start + cell.found.cardinality();
        return found > sure && found <= sure + cell.doubtfulSums ? found : sure;
    }

    /** Goes back from what is there, by what each swap replaced: all that are known to have succeeded must lie on the way. */
    private static long endOfChain(Place place, Cell cell, long found) {
        Map<Long, Long> before = new HashMap<>(cell.doubtfulSwaps);
        cell.swaps.forEach((first, second) -> before.put(second, first));
        int steps = 0;
        for (long value = found; value != cell.start; ) {
            Long replaced = before.remove(value);
            if (replaced == null) {
                throw new AssertionError("nobody put " + value + " into cell " + place.offset() + " of "
                        + place.zone().name());
            }
            steps += cell.swaps.containsKey(replaced) && cell.swaps.get(replaced) == value ? 1 : 0;
            value = replaced;
        }
        if (steps != cell.swaps.size()) {
            throw new AssertionError("of " + cell.swaps.size() + " swaps of cell " + place.offset() + " of "
                    + place.zone().name() + " only " + steps + " follow from one another");
        }
        return found;
    }
}
