package org.verbena.memory.hypervisor;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.interleave.Actor;
import org.verbena.memory.ManagedMemory;

/**
 * A guest's own driver in a race. It maps pages when they are missed, and moves pages to other guest physical pages while they are in
 * use: it unmaps a page, waits until nobody has it pinned, copies it and maps it again.
 */
final class RaceDriver extends Actor implements GuestDriver {
    private static final int NONE = -1;

    /** The guest that is driven, and its only memory. */
    private static final class Guest {
        final Domain domain;
        final GuestTable table;
        /** The guest physical page that belongs to each page, whether it is mapped or not. */
        final long[] homes;

        final ArrayDeque<Long> free = new ArrayDeque<>();
        /** The page that is being moved. */
        int moving = NONE;

        Guest(Domain domain, ManagedMemory memory) {
            this.domain = domain;
            this.table = domain.table(memory);
            this.homes = new long[(int) table.pages()];
            Arrays.fill(homes, NONE);
            for (long frame = 0; frame < GuestOptions.PHYSICAL_MIN / RaceMemory.PAGE; frame++) {
                free.add(frame);
            }
        }
    }

    private final RegionRaces world;
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();
    private final ArrayDeque<GuestFault> missed = new ArrayDeque<>();
    private final MemorySegment zeros;
    private final MemorySegment buffer;
    private @Nullable Guest guest;
    private boolean busy;
    long mapped;
    long moved;

    RaceDriver(RegionRaces world) {
        super("driver");
        this.world = world;
        this.zeros = world.arena.allocate(RaceMemory.PAGE);
        this.buffer = world.arena.allocate(RaceMemory.PAGE);
    }

    /** Has a call to the driver run, later. */
    void execute(Runnable call) {
        calls.add(call);
    }

    boolean isIdle() {
        return calls.isEmpty() && missed.isEmpty() && !busy;
    }

    /** Drives a guest from now on. */
    void drive(Domain domain, ManagedMemory memory) {
        guest = new Guest(domain, memory);
    }

    @Override
    public void onFault(GuestFault fault) {
        missed.add(fault);
    }

    @Override
    protected void perform() {
        while (!world.isQuiet()) {
            busy = true;
            Runnable call = calls.poll();
            if (call != null) {
                call.run();
            }
            GuestFault fault = missed.poll();
            Guest driven = guest;
            if (fault != null && driven != null && driven.table == fault.table()) {
                serve(driven, fault);
            } else if (driven != null && world.below(4) == 0) {
                move(driven);
            }
            busy = false;
            sleep(200);
        }
    }

    private void serve(Guest driven, GuestFault fault) {
        int page = (int) fault.page();
        if (page == driven.moving) {
            return; // answered when the page is mapped again
        }
        try {
            if (driven.homes[page] == NONE) {
                long home = driven.free.getFirst();
                driven.domain.physical().write(home * RaceMemory.PAGE, zeros);
                driven.homes[page] = driven.free.removeFirst();
            }
            driven.table.map(page, driven.homes[page]);
            mapped++;
        } catch (IllegalStateException closedOrNoFrame) {
            retry(closedOrNoFrame, () -> missed.add(fault));
        }
    }

    /** Takes one step of moving a page. */
    private void move(Guest driven) {
        if (driven.moving == NONE) {
            int page = world.below(driven.homes.length);
            driven.moving = driven.homes[page] == NONE ? NONE : page;
        }
        int page = driven.moving;
        if (page == NONE || driven.table.unmap(page) == GuestTable.Unmapping.PINNED) {
            return;
        }
        try {
            long from = driven.homes[page];
            long to = driven.free.getFirst();
            driven.domain.physical().read(from * RaceMemory.PAGE, buffer);
            driven.domain.physical().write(to * RaceMemory.PAGE, buffer);
            driven.homes[page] = driven.free.removeFirst();
            driven.free.add(from);
            moved++;
        } catch (IllegalStateException closedOrLost) {
            retry(closedOrLost, () -> {}); // it stays where it was
        }
        try {
            driven.table.map(page, driven.homes[page]);
        } catch (IllegalStateException closed) {
            retry(closed, () -> {
                throw new AssertionError("a page that is not mapped cannot be mapped", closed);
            });
        }
        driven.moving = NONE;
    }

    /** Tries again, unless the guest or its memory is closed. */
    private static void retry(IllegalStateException thrown, Runnable again) {
        if (!String.valueOf(thrown.getMessage()).contains("closed")) {
            again.run();
        }
    }
}
