package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.SwapOut;
import org.verbena.memory.Window;
import org.verbena.memory.faults.PageHold;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.Binding;
import org.verbena.memory.store.StoreFaults;

/** The actors of {@link RegionRaces}, apart from owners. */
final class RaceCast {
    private RaceCast() {}

    /** A peer, which knows keys only. */
    static final class Peer extends RaceAccess {
        private final PageHold hold = new PageHold();

        Peer(RegionRaces world, int number) {
            super(world, "peer " + number);
        }

        @Override
        protected void act() {
            RaceWindow window = world.below(4) == 0 ? world.anyWindow() : null;
            RaceRegion region = world.anyRegion();
            if (window != null) {
                accessThrough(window);
            } else if (region == null) {
                sleep(100);
            } else if (world.below(16) == 0) {
                land(region, hold);
            } else {
                accessSomething(region, false);
            }
        }
    }

    /** A consumer that binds a window, invalidates it and binds it again. */
    static final class Binder extends RaceAccess {
        private static final int QUEUE_PAIR = 5;
        private static final Set<Right> RIGHTS = EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC);

        private final Accessor binder;

        Binder(RegionRaces world, int number) {
            super(world, "binder " + number);
            this.binder = Accessor.local(world.domain, QUEUE_PAIR, Right.BIND_WINDOW);
        }

        @Override
        protected void act() {
            Window window = world.table.createWindow(world.domain, Window.Type.TYPE_2);
            RaceWindow bound = null;
            for (int bindings = 1 + world.below(4); bindings > 0; bindings--) {
                bound = bind(window);
                sleep(20_000);
                if (bound != null && bindings > 1) {
                    bound.ending = true;
                    assertEquals(Verdict.GRANTED, world.table.invalidate(bound.key, binder));
                    bound.onOver();
                    world.invalidated++;
                }
            }
            if (bound != null) {
                bound.ending = true;
            }
            window.close(); // perhaps under accesses
            if (bound != null) {
                bound.onOver();
            }
        }

        private @Nullable RaceWindow bind(Window window) {
            RaceRegion region = world.anyRegion();
            if (region == null) {
                return null;
            }
            int key = MemoryKey.next(window.key());
            Binding binding = new Binding(key, region.key, 0, (long) region.memory.pages * RaceMemory.PAGE, RIGHTS);
            boolean wasClosed = region.closed;
            Verdict verdict = world.table.bind(binder, window.key(), binding);
            if (verdict != Verdict.GRANTED) {
                assertTrue(region.io != null || region.isClosing(), () -> verdict + " for a valid region");
                return null;
            }
            assertFalse(wasClosed, "bound to a region that was deregistered");
            RaceWindow bound = new RaceWindow(region, key);
            world.onBound(bound);
            return bound;
        }
    }

    /** A consumer whose operations are counted, by the library or by itself. */
    static final class Consumer extends RaceAccess {
        private boolean woken;

        Consumer(RegionRaces world, int number) {
            super(world, "consumer " + number);
        }

        @Override
        protected void act() {
            RaceRegion region = world.anyRegion();
            if (region == null || region.io == null) {
                sleep(100);
            } else if (begin(region)) {
                operate(region);
            }
        }

        private boolean begin(RaceRegion region) {
            CurrentIo io = region.io();
            boolean begun;
            try {
                begun = io.mode() == CurrentIo.Mode.LIBRARY
                        ? world.table.beginOperation(world.domain, region.key)
                        : io.begin();
            } catch (QuiescingException quiescing) {
                begun = false;
            } catch (IllegalStateException closed) {
                if (!region.isClosing()) {
                    throw new AssertionError("an open region begins no operation", closed);
                }
                return false;
            }
            if (!begun && io.isQuiescing()) {
                waitFor(io);
            }
            return begun;
        }

        private void waitFor(CurrentIo io) {
            int what = world.below(4);
            if (what == 0) {
                io.interest();
            } else if (what < 3) {
                woken = false;
                io.onResume(() -> {
                    woken = true;
                    wake();
                });
                await("a region", () -> woken);
            }
        }

        private void operate(RaceRegion region) {
            region.operations++;
            for (int i = world.below(3); i >= 0; i--) {
                accessSomething(region, true);
            }
            CurrentIo io = region.io();
            if (world.below(50) == 0 && io.isQuiescing()) {
                region.promised = true;
                io.quiesced();
                sleep(500);
            }
            region.operations--;
            if (io.mode() == CurrentIo.Mode.LIBRARY) {
                world.table.endOperation(world.domain, region.key);
            } else {
                io.end();
            }
        }
    }

    /** A consumer that uses its memory in place, and by copies. */
    static final class Pinner extends RaceAccess {
        Pinner(RegionRaces world, int number) {
            super(world, "pinner " + number);
        }

        @Override
        protected void act() {
            RaceMemory some = world.anyMemory();
            sleep(300);
            if (some == null) {
                return;
            }
            try {
                if (world.below(2) == 0) {
                    usePinned(some);
                } else {
                    copyOwn(some);
                }
            } catch (IllegalStateException closedOrLostOrTooMuch) {
                sleep(100);
            }
        }
    }

    /** The hypervisor, which swaps regions out and in. */
    static final class Swapper extends RaceAccess {
        Swapper(RegionRaces world, int number) {
            super(world, "hypervisor " + number);
        }

        @Override
        protected void act() {
            sleep(30_000);
            RaceRegion region = world.anyRegion();
            if (region == null) {
                return;
            }
            try {
                swap(region);
            } catch (IllegalStateException closed) {
                if (!region.isClosing()) {
                    throw closed;
                }
            }
        }

        private void swap(RaceRegion region) {
            int what = world.below(16);
            if (what < 2) {
                int first = world.below(region.memory.pages);
                region.memory.memory.advise(
                        RaceMemory.offset(first, 0),
                        (long) (1 + world.below(region.memory.pages - first)) * RaceMemory.PAGE,
                        what == 0 ? Advice.PAGE_OUT : Advice.WILL_NEED);
            } else if (region.io == null) {
                return;
            } else if (what < 9) {
                watch(region, swapOut(region));
            } else if (what < 14) {
                CompletableFuture<?> _ = world.hypervisor.swapIn(region.region).thenRun(() -> world.swappedIn++);
            } else if (what == 14) {
                boolean _ = world.hypervisor.callOff(region.region);
            } else {
                world.hypervisor.swapUnderPressure(world.below(2) == 0);
                var _ = world.hypervisor.swapOutColdest();
            }
        }

        /** Of the whole region, or of a part. */
        private CompletableFuture<SwapOut> swapOut(RaceRegion region) {
            if (world.below(2) == 0) {
                return world.hypervisor.swapOut(region.region);
            }
            int first = world.below(region.memory.pages);
            long length = (long) (1 + world.below(region.memory.pages - first)) * RaceMemory.PAGE;
            return world.hypervisor.swapOut(region.region, RaceMemory.offset(first, 0), length);
        }

        private void watch(RaceRegion region, CompletableFuture<SwapOut> out) {
            if (!out.isDone()) {
                CompletableFuture<?> _ = out.thenAccept(end -> onEnd(region, end));
            }
        }

        private void onEnd(RaceRegion region, SwapOut end) {
            if (!end.isOut()) {
                world.notSwapped++;
                return;
            }
            world.swappedOut++;
            world.drivenSwappedOut += region.memory.driven ? 1 : 0;
            world.pagesFreed += end.pagesFreed();
            world.pagesKept += end.pagesKept();
            try {
                region.onOut();
            } catch (AssertionError wrong) {
                world.interleaver.fail(wrong); // a future keeps what its listeners throw
            }
        }
    }

    /** The page store has its troubles, and gets over them. */
    static final class Disturber extends RaceAccess {
        Disturber(RegionRaces world) {
            super(world, "disturber");
        }

        @Override
        protected void act() {
            double rate = world.below(4) == 0 ? 0.05 : 0;
            StoreFaults faults = StoreFaults.NONE.readErrorRate(rate).writeErrorRate(world.below(2) == 0 ? rate : 0);
            world.store.inject(world.below(8) == 0 ? faults.room(500) : faults);
            sleep(100_000);
            world.store.inject(StoreFaults.NONE);
            sleep(100_000);
        }
    }

    /** Machine memory grows and shrinks. */
    static final class Resizer extends RaceAccess {
        private static final int EXTENT = 1 << 16;

        Resizer(RegionRaces world) {
            super(world, "resizer");
        }

        @Override
        protected void act() {
            sleep(200_000);
            try {
                world.hypervisor.resize(HypervisorOptions.MEMORY_MIN + (long) EXTENT * world.below(5));
                world.resized++;
            } catch (IllegalStateException pinned) {
                sleep(1000);
            }
        }
    }
}
