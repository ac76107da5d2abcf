package org.verbena.memory.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.verbena.time.Seed;

/** The medium of a {@link SimulatedPageStore}: the bytes of each slot, and the failures that were injected. One thread at a time. */
final class SimulatedMedium {
    private static final int KINDS = Transfer.Kind.values().length;

    private final SlotBook book = new SlotBook();
    private final Map<Long, byte[]> contents = new HashMap<>();
    private final CRC32C crc = new CRC32C();
    private final Seed chance;
    private final long[] pages = new long[KINDS];
    private final long[] transfers = new long[KINDS];
    private StoreFaults faults = StoreFaults.NONE;

    /** @param chance of errors by rate */
    SimulatedMedium(Seed chance) {
        this.chance = chance;
    }

    /** Number of slots that hold a page. Any thread. */
    long slotsUsed() {
        return book.used();
    }

    /** Replaces the failures; counts begin again. */
    void inject(StoreFaults injected) {
        faults = injected;
        for (int kind = 0; kind < KINDS; kind++) {
            pages[kind] = 0;
            transfers[kind] = 0;
        }
    }

    /** Flips one bit of a slot; false if the slot holds nothing. */
    boolean corrupt(long slot) {
        byte[] content = contents.get(slot);
        if (content == null) {
            return false;
        }
        content[(int) (slot % PageStore.PAGE)] ^= 0x10;
        return true;
    }

    /** Forgets the pages of neighbouring slots. */
    void forget(long firstSlot, long slots) {
        if (book.forget(firstSlot, slots)) {
            contents.keySet().removeIf(slot -> slot >= firstSlot && slot < firstSlot + slots);
        }
    }

    /** Accepts a transfer: takes the checksums of pages to be written, and decides whether the transfer stalls. */
    SimulatedFlight accept(Transfer transfer) {
        Transfer.Kind kind = transfer.kind();
        boolean stalls = ++transfers[kind.ordinal()] == faults.of(kind).stallAt();
        return new SimulatedFlight(transfer, stalls, crc);
    }

    /** Moves all pages of a transfer and sets their outcomes. */
    void move(SimulatedFlight flight) {
        for (int page = 0; page < flight.transfer.pages(); page++) {
            flight.transfer.outcome(page, tryMove(flight, page));
        }
    }

    /** A page whose memory was closed has failed, as with a real store. The other pages are moved. */
    private Outcome tryMove(SimulatedFlight flight, int page) {
        try {
            return move(flight, page);
        } catch (IllegalStateException memoryClosed) {
            return Outcome.IO_ERROR;
        }
    }

    private Outcome move(SimulatedFlight flight, int page) {
        Transfer.Kind kind = flight.transfer.kind();
        StoreFaults.Direction direction = faults.of(kind);
        boolean fails = ++pages[kind.ordinal()] == direction.errorAt() || chance.chance(direction.errorRate());
        long slot = flight.transfer.slot(page);
        MemorySegment memory = flight.transfer.page(page);
        if (kind == Transfer.Kind.READ) {
            return fails ? Outcome.IO_ERROR : read(slot, memory);
        }
        return write(slot, memory, flight.checksums[page], fails);
    }

    private Outcome read(long slot, MemorySegment memory) {
        if (!book.holds(slot)) {
            return Outcome.CORRUPT;
        }
        byte[] content = Objects.requireNonNull(contents.get(slot));
        MemorySegment.copy(MemorySegment.ofArray(content), 0, memory, 0, PageStore.PAGE);
        return book.matches(slot, SlotBook.checksum(crc, memory)) ? Outcome.DONE : Outcome.CORRUPT;
    }

    private Outcome write(long slot, MemorySegment memory, int checksum, boolean fails) {
        if (!book.claim(slot, faults.room())) {
            return Outcome.NO_SPACE;
        }
        if (fails) {
            book.forget(slot);
            contents.remove(slot);
            return Outcome.IO_ERROR;
        }
        contents.put(slot, memory.toArray(ValueLayout.JAVA_BYTE));
        book.onWritten(slot, checksum);
        return Outcome.DONE;
    }
}
