package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.interleave.Actor;
import org.verbena.interleave.Copy;
import org.verbena.memory.Pinned;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.faults.PageHold;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.translation.AtomicResult;

/** An actor that accesses memory as an engine does: the access, a page fault, the access again. Knows at each byte that moves what it must be. */
abstract class RaceAccess extends Actor {
    private static final int PAGE = RaceMemory.PAGE;
    private static final int CELL = RaceMemory.CELL;

    /** What is done to memory. */
    enum Kind {
        READ_CELL(CELL),
        WRITE_CELL(CELL),
        READ_ACROSS(2 * CELL),
        WRITE_ACROSS(2 * CELL),
        READ_PAGE(PAGE),
        OVERWRITE(PAGE),
        /** A message of two packets that overwrites a page. */
        OVERWRITE_IN_TWO(PAGE / 2),
        ATOMIC_WRITE(CELL),
        ATOMIC_READ(CELL);

        final int length;

        Kind(int length) {
            this.length = length;
        }

        boolean changes() {
            return this == WRITE_CELL
                    || this == WRITE_ACROSS
                    || this == OVERWRITE
                    || this == OVERWRITE_IN_TWO
                    || this == ATOMIC_WRITE;
        }

        boolean isAtomic() {
            return this == ATOMIC_WRITE || this == ATOMIC_READ;
        }
    }

    private static final Kind[] KINDS = Kind.values();
    private static final Kind[] READS = {Kind.READ_CELL, Kind.READ_ACROSS, Kind.READ_PAGE};

    final RegionRaces world;
    final MemorySegment buffer;
    private final AtomicResult result = new AtomicResult();
    private final Accessor reader;
    private final Accessor writer;
    private final Accessor striker;

    private @Nullable RaceRegion region;
    /** The window through which it accesses the region; null if it uses the region's key. */
    private @Nullable RaceWindow via;

    private @Nullable RaceMemory aimed;
    private Kind kind = Kind.READ_CELL;
    private long offset;
    private int page;
    private int cell;
    private long done;
    private long wanted;
    private long stamp;

    RaceAccess(RegionRaces world, String name) {
        super(name);
        this.world = world;
        this.buffer = world.arena.allocate(PAGE, CELL);
        this.reader = Accessor.remote(world.domain, 5, Right.REMOTE_READ);
        this.writer = Accessor.remote(world.domain, 5, Right.REMOTE_WRITE);
        this.striker = Accessor.remote(world.domain, 5, Right.REMOTE_ATOMIC);
    }

    /** One of many things it does. */
    protected abstract void act();

    @Override
    protected final void perform() {
        world.userComes();
        while (!world.finishing) {
            act();
        }
        world.userGoes();
    }

    private RaceMemory memory() {
        return Objects.requireNonNull(aimed);
    }

    // --- each byte

    @Override
    protected void onCopy(Copy copy) {
        RaceRegion under = region;
        RaceWindow window = via;
        if (under != null) {
            under.beginCopy();
        }
        if (window != null) {
            window.beginCopy();
        }
        step();
        long bytes = copy.bytes();
        long half = bytes > PAGE / 2 ? PAGE / 2 : bytes;
        move(copy, 0, half);
        if (half < bytes) {
            step();
            move(copy, half, bytes - half);
        }
        done += bytes;
        step();
        if (window != null) {
            window.endCopy();
        }
        if (under != null) {
            under.endCopy();
        }
    }

    private void move(Copy copy, long from, long count) {
        copy.run(from, count);
        long start = offset + done + from;
        long end = start + count;
        for (int number = (int) (start / PAGE); number <= (end - 1) / PAGE; number++) {
            for (int side = 0; side < 2; side++) {
                long at = RaceMemory.offset(number, side);
                if (at >= start && at + CELL <= end) {
                    moved(number, side, buffer.get(ValueLayout.JAVA_LONG, at - offset));
                }
            }
        }
    }

    private void moved(int number, int side, long value) {
        if (kind.changes()) {
            memory().written(number, side, value);
        } else {
            memory().check(number, side, value);
            world.onRead(value);
        }
    }

    @Override
    protected void onAtomic() {
        if (kind == Kind.ATOMIC_WRITE) {
            memory().written(page, cell, stamp);
        } else {
            wanted = memory().expected(page, cell);
        }
        done += CELL;
    }

    // --- an access

    private void aim(@Nullable RaceRegion under, RaceMemory at, Kind what, int wherePage, int whereCell) {
        region = under;
        aimed = at;
        kind = what;
        page = wherePage;
        cell = whereCell;
        offset = RaceMemory.offset(page, what.length > CELL ? 0 : cell);
        if (what == Kind.READ_ACROSS || what == Kind.WRITE_ACROSS) {
            page = Math.min(page, at.pages - 2);
            offset = RaceMemory.offset(page, 1);
        }
    }

    private void stampBuffer() {
        stamp = memory().stamp(page, world.nextVersion());
        if (kind.changes()) {
            buffer.set(ValueLayout.JAVA_LONG, 0, stamp);
            int last = kind.length - CELL;
            buffer.set(
                    ValueLayout.JAVA_LONG,
                    last,
                    kind == Kind.WRITE_ACROSS ? memory().stamp(page + 1, world.nextVersion()) : stamp);
        }
    }

    /** The same through a window. */
    final void accessThrough(RaceWindow window) {
        via = window;
        accessSomething(window.region, false);
        via = null;
    }

    private int key(RaceRegion under) {
        RaceWindow window = via;
        return window == null ? under.key : window.key;
    }

    private void check(RaceRegion under, Verdict verdict, boolean wasOver, boolean wasClosed, boolean counted) {
        RaceWindow window = via;
        if (window == null) {
            under.check(verdict, wasClosed, counted);
        } else {
            window.check(verdict, wasOver, wasClosed);
        }
    }

    private boolean isOver() {
        RaceWindow window = via;
        return window != null && window.over;
    }

    /** One kind of access to some page of a region, to the end or as far as it comes. */
    final void accessSomething(RaceRegion under, boolean counted) {
        RaceMemory at = under.memory;
        Kind[] among = world.below(2) == 0 ? READS : KINDS;
        aim(under, at, among[world.below(among.length)], world.page(at), world.below(2));
        boolean overwrites = kind == Kind.OVERWRITE || kind == Kind.OVERWRITE_IN_TWO;
        if (!overwrites) {
            Verdict _ = access(under, counted, kind.length);
            return;
        }
        int number = page;
        at.beginOverwrite(number);
        boolean begun = access(under, counted, PAGE) == Verdict.GRANTED;
        boolean whole = begun;
        if (begun && kind == Kind.OVERWRITE_IN_TWO) {
            offset = RaceMemory.offset(number, 0) + PAGE / 2;
            whole = access(under, counted, PAGE / 2) == Verdict.GRANTED;
        }
        at.endOverwrite(number, begun && !whole);
    }

    private Verdict access(RaceRegion under, boolean counted, long remaining) {
        for (; ; ) {
            Verdict verdict = tryOnce(under, counted, remaining);
            if (verdict != Verdict.NOT_RESIDENT) {
                return verdict;
            }
            boolean closed = under.closed;
            boolean over = isOver();
            Fault fault = new Fault(world.table, _ -> wake());
            verdict = fault.add(accessor(), key(under), offset, kind.length, remaining, intent(remaining));
            if (verdict == Verdict.GRANTED) {
                world.faults++;
                if (!fault.start()) {
                    await("a page", () -> fault.outcome() != Verdict.NOT_RESIDENT);
                }
                verdict = fault.outcome();
            }
            boolean givesUp = world.below(8) == 0;
            if (verdict == Verdict.GRANTED && !givesUp) {
                verdict = tryOnce(under, counted, remaining);
                boolean leased = remaining == kind.length && kind != Kind.OVERWRITE && under.memory.keepsLeases();
                assertFalse(leased && verdict == Verdict.NOT_RESIDENT, "a leased page is gone");
            } else {
                check(under, verdict, over, closed, counted);
                givesUp |= verdict == Verdict.GRANTED;
            }
            fault.release();
            if (givesUp) {
                return Verdict.NOT_RESIDENT;
            }
            if (verdict != Verdict.NOT_RESIDENT) {
                return verdict;
            }
        }
    }

    private Fault.Intent intent(long remaining) {
        return !kind.changes()
                ? kind == Kind.ATOMIC_READ ? Fault.Intent.WRITE : Fault.Intent.READ
                : remaining >= PAGE / 2 ? Fault.Intent.OVERWRITE : Fault.Intent.WRITE;
    }

    private Accessor accessor() {
        return kind.isAtomic() ? striker : kind.changes() ? writer : reader;
    }

    private Verdict tryOnce(RaceRegion under, boolean counted, long remaining) {
        boolean closed = under.closed;
        boolean over = isOver();
        stampBuffer();
        done = 0;
        Verdict verdict = move(key(under), remaining);
        assertEquals(verdict == Verdict.GRANTED ? kind.length : 0, done, verdict + " and bytes that moved");
        check(under, verdict, over, closed, counted);
        world.count(verdict);
        if (kind == Kind.ATOMIC_READ && verdict == Verdict.GRANTED) {
            memory().check(page, cell, result.original(), wanted);
        }
        return verdict;
    }

    private Verdict move(int key, long remaining) {
        return switch (kind) {
            case READ_CELL, READ_ACROSS, READ_PAGE ->
                world.table.gather(accessor(), key, offset, buffer, 0, kind.length);
            case WRITE_CELL, WRITE_ACROSS, OVERWRITE, OVERWRITE_IN_TWO ->
                world.table.place(accessor(), key, offset, buffer, 0, kind.length, remaining);
            case ATOMIC_WRITE -> world.table.atomicWrite(accessor(), key, offset, stamp);
            case ATOMIC_READ -> world.table.fetchAdd(accessor(), key, offset, 0, result);
        };
    }

    /** The answer to a read will land in a page that is held until then. */
    final void land(RaceRegion under, PageHold hold) {
        RaceMemory at = under.memory;
        aim(under, at, Kind.OVERWRITE, world.page(at), 0);
        int number = page;
        at.beginOverwrite(number);
        boolean closed = under.closed;
        Verdict verdict = hold.add(world.table, accessor(), under.key, offset, PAGE);
        under.check(verdict, closed, false);
        boolean held = verdict == Verdict.GRANTED;
        boolean mayBeGone = held;
        if (verdict == Verdict.NOT_RESIDENT) {
            Fault fault = new Fault(world.table, _ -> wake());
            mayBeGone = true;
            if (fault.add(accessor(), under.key, offset, PAGE, PAGE, Fault.Intent.LANDING) == Verdict.GRANTED) {
                if (!fault.start()) {
                    await("a landing", () -> fault.outcome() != Verdict.NOT_RESIDENT);
                }
                held = fault.outcome() == Verdict.GRANTED;
            }
            hold.adopt(fault);
        }
        sleep(300);
        boolean landed = false;
        if (held) {
            verdict = tryOnce(under, false, PAGE);
            assertFalse(at.keepsLeases() && verdict == Verdict.NOT_RESIDENT, "an answer that meets a page fault");
            landed = verdict == Verdict.GRANTED;
        }
        hold.release();
        at.endOverwrite(number, mayBeGone && !landed);
    }

    // --- the owner of the memory itself

    /** Copies a cell, without a key. */
    final void copyOwn(RaceMemory own) {
        aim(null, own, world.below(2) == 0 ? Kind.READ_CELL : Kind.WRITE_CELL, world.page(own), world.below(2));
        stampBuffer();
        done = 0;
        MemorySegment piece = buffer.asSlice(0, CELL);
        if (kind.changes()) {
            own.memory.write(offset, piece);
        } else {
            own.memory.read(offset, piece);
        }
        assertEquals(CELL, done);
    }

    /** Looks at a page in place, and writes to it, while others may. */
    final void usePinned(RaceMemory own) {
        Pinned.Mode mode = world.below(2) == 0 ? Pinned.Mode.READ : Pinned.Mode.WRITE;
        int number = world.page(own);
        int count = Math.min(1 + world.below(2), own.pages - number);
        try (Pinned pinned = own.memory.pin(RaceMemory.offset(number, 0), (long) count * PAGE, mode)) {
            world.pins++;
            for (int looks = 1 + world.below(4); looks > 0; looks--) {
                for (int i = 0; i < count; i++) {
                    look(own, pinned, number, i, mode);
                    step();
                }
                sleep(200);
            }
        }
    }

    private void look(RaceMemory own, Pinned pinned, int first, int index, Pinned.Mode mode) {
        int side = world.below(2);
        long at = RaceMemory.offset(index, side);
        for (MemorySegment piece : pinned.pieces()) {
            if (at < piece.byteSize()) {
                own.check(first + index, side, piece.get(ValueLayout.JAVA_LONG, at));
                if (mode == Pinned.Mode.WRITE) {
                    long fresh = own.stamp(first + index, world.nextVersion());
                    piece.set(ValueLayout.JAVA_LONG, at, fresh);
                    own.written(first + index, side, fresh);
                }
                return;
            }
            at -= piece.byteSize();
        }
    }
}
