package org.verbena.memory.hypervisor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.interleave.Actor;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.protection.Tables;

/** Allocates memory and registers it; deregisters, closes and begins anew, even while the memory is in use. */
final class RaceOwner extends Actor {
    /** What it owns. */
    enum Holding {
        PAGED,
        WIRED,
        /** A guest, with paged and wired memory. */
        GUEST,
        /** A guest with a driver of its own. */
        DRIVEN_GUEST
    }

    private static final int GUEST_WIRED = 10;

    private final RegionRaces world;
    private final Holding holding;
    private final int pages;
    private @Nullable Domain guest;
    final List<RaceMemory> memories = new ArrayList<>();
    boolean isDone;

    RaceOwner(RegionRaces world, Holding holding, int pages) {
        super("owner of " + holding);
        this.world = world;
        this.holding = holding;
        this.pages = pages;
    }

    @Override
    protected void perform() {
        while (!world.finishing) {
            allocate();
            for (int changes = 5 + world.below(40); changes > 0 && !world.finishing; changes--) {
                sleep(30_000);
                changeRegions();
            }
            giveUp();
        }
        isDone = true;
    }

    private void allocate() {
        Domain of = world.hypervisor.host();
        if (holding == Holding.GUEST) {
            of = world.hypervisor.createGuest(
                    GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withPolicy(Hypervisor.Policy.CLOCK));
            guest = of;
        }
        if (holding == Holding.DRIVEN_GUEST) {
            of = world.hypervisor.createGuest(
                    GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(world.driver, world.driver::execute));
            guest = of;
        }
        if (holding != Holding.WIRED) {
            add(of.allocate((long) pages * RaceMemory.PAGE));
        }
        if (holding == Holding.DRIVEN_GUEST) {
            world.driver.drive(of, memories.getFirst().memory);
        }
        int wired = holding == Holding.WIRED ? pages : holding == Holding.GUEST ? GUEST_WIRED : 0;
        if (wired > 0) {
            addWired(of, wired);
        }
        memories.forEach(this::register);
    }

    private void add(ManagedMemory memory) {
        memories.add(new RaceMemory(world.nextId(), memory, holding == Holding.DRIVEN_GUEST));
    }

    private void addWired(Domain of, int wired) {
        while (!world.finishing) {
            try {
                add(of.allocateWired((long) wired * RaceMemory.PAGE));
                return;
            } catch (IllegalStateException tooMuchPinnedOrLost) {
                sleep(2000);
            }
        }
    }

    private void register(RaceMemory memory) {
        int kind = world.below(8);
        CurrentIo.Mode mode = kind == 0 ? null : kind < 3 ? CurrentIo.Mode.CONSUMER : CurrentIo.Mode.LIBRARY;
        Region region = mode == null
                ? world.table.register(world.domain, memory.memory, 0, Tables.ALL)
                : world.table.register(world.domain, memory.memory, 0, Tables.ALL, CurrentIoOptions.of(mode));
        RaceRegion made = new RaceRegion(memory, region, mode);
        memory.regions.add(made);
        world.onRegistered(made);
    }

    private void changeRegions() {
        for (RaceMemory memory : memories) {
            int what = world.below(4);
            if (what == 0 || memory.regions.isEmpty()) {
                if (memory.regions.size() < 3) {
                    register(memory);
                }
            } else if (what == 1) {
                deregister(memory.regions.get(world.below(memory.regions.size())));
            }
        }
    }

    private void deregister(RaceRegion region) {
        region.closing = true;
        region.region.close();
        region.onClosed();
        region.memory.regions.remove(region);
        world.deregistered++;
    }

    private void giveUp() {
        Domain of = guest;
        if (of != null && world.below(2) == 0) {
            memories.forEach(memory -> memory.closing = true);
            of.close();
            memories.forEach(memory -> memory.regions.forEach(RaceRegion::onClosed));
        }
        for (RaceMemory memory : List.copyOf(memories)) {
            while (!memory.regions.isEmpty()) {
                deregister(memory.regions.getFirst());
            }
            closeMemory(memory);
            memories.remove(memory);
        }
        if (of != null) {
            of.close();
            world.guestsClosed++;
        }
        guest = null;
    }

    private void closeMemory(RaceMemory memory) {
        for (; ; ) {
            try {
                memory.memory.close();
                memory.closing = true;
                world.memoriesClosed++;
                return;
            } catch (IllegalStateException inUse) {
                sleep(200);
            }
        }
    }
}
