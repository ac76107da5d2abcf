package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/**
 * Some hundred actors on one thread, each of which does one thing at a time to a page word or to half a page: pins, writes, reads,
 * lets go, waits for a page. The seed decides which actor is next, and when transfers end, pages are swept, memories close. All is real
 * but the threads and the disk. Every half of a page carries memory, page and version at both ends, and the run knows what each
 * must read.
 */
final class PageRaces {
    static final int FRAMES = 192;
    private static final int ACTORS = 300;
    private static final int MEMORIES = 3;
    private static final int PAGES = 700;
    private static final int GUEST_FRAMES = 128;
    private static final int HOT = 40;
    /** One of this number of accesses goes to any page. */
    private static final int COLD = 40;

    private static final int HALF = Stage.PAGE / 2;
    private static final long UNKNOWN = -1;

    private final VirtualClock clock = new VirtualClock();
    private final SimulatedPageStore hostStore;
    private final SimulatedPageStore guestStore;
    private final Supply hostFrames = new Supply(FRAMES);
    private final Supply guestFrames = new Supply(GUEST_FRAMES);
    private final MemorySegment machine;
    private final Pager host;
    private final Pager guest;
    private final Stage guestPhysical;
    private final List<Memory> memories = new ArrayList<>();
    private final Actor[] ready = new Actor[ACTORS];
    private int readyCount;
    private int nextId = 1;
    private long random;
    private long versions;
    private long steps;
    private boolean interrupted;
    private boolean finishing;
    /** Where the pages are that most accesses go to. */
    private int warm;

    long reads;
    long writes;
    long waits;
    long refusals;
    long closes;
    long digest;

    PageRaces(long seed, Arena arena, boolean s3) {
        random = seed * 2 + 1;
        hostStore = new SimulatedPageStore(clock, ServiceTime.DISK, new Seed(seed));
        guestStore = new SimulatedPageStore(clock, ServiceTime.DISK, new Seed(seed + 1));
        machine = arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
        host = new Pager(hostStore, hostFrames, policy(s3, FRAMES), null, FRAMES);
        guestPhysical = host.open(GUEST_FRAMES, machine);
        guest = new Pager(guestStore, guestFrames, policy(s3, GUEST_FRAMES), guestPhysical, GUEST_FRAMES);
        for (int i = 0; i < MEMORIES; i++) {
            memories.add(new Memory(i == 0 ? guest : host));
        }
        for (int i = 0; i < ACTORS; i++) {
            ready[readyCount++] = new Actor();
        }
    }

    private EvictionPolicy policy(boolean s3, int frames) {
        return new Interrupted(s3 ? new S3FifoPolicy(frames) : new ClockPolicy(frames));
    }

    /** A policy during which others have their turn: between the choice of a page and its eviction. */
    private final class Interrupted implements EvictionPolicy {
        private final EvictionPolicy policy;

        Interrupted(EvictionPolicy policy) {
            this.policy = policy;
        }

        @Override
        public void onInstalled(int frame, long page) {
            policy.onInstalled(frame, page);
        }

        @Override
        public void onRemoved(int frame) {
            policy.onRemoved(frame);
            interrupt();
        }

        @Override
        public void onKept(int frame) {
            policy.onKept(frame);
        }

        @Override
        public int choose(Residents residents) {
            int frame = policy.choose(residents);
            if (frame != Driver.NONE && below(8) == 0) {
                attract(residents.page(frame));
            }
            interrupt();
            return frame;
        }

        @Override
        public int size() {
            return policy.size();
        }

        @Override
        public int bytesPerFrame() {
            return policy.bytesPerFrame();
        }

        @Override
        public String name() {
            return policy.name();
        }
    }

    /** Frames by number, last come first gone. */
    private final class Supply implements FrameSupply {
        private final int[] frames;
        private int free;

        Supply(int limit) {
            frames = new int[limit];
            for (int frame = 0; frame < limit; frame++) {
                frames[free++] = frame;
            }
        }

        @Override
        public int limit() {
            return frames.length;
        }

        @Override
        public int take() {
            interrupt();
            return free == 0 ? Driver.NONE : frames[--free];
        }

        @Override
        public void giveBack(int frame) {
            frames[free++] = frame;
        }

        @Override
        public int free() {
            return free;
        }
    }

    /** One memory and what its pages must hold. */
    private final class Memory {
        final Pager pager;
        final Stage stage;
        final int id = nextId++ & 0xfff;
        final long[] expected = new long[2 * PAGES];
        final int[] overwriters = new int[PAGES];
        int holders;
        boolean open = true;

        Memory(Pager pager) {
            this.pager = pager;
            this.stage = pager.open(PAGES, machine);
        }
    }

    private enum Does {
        NOTHING,
        PIN,
        FIRST_HALF,
        SECOND_HALF,
        LET_GO,
        WAIT
    }

    private final class Actor implements PageRequest.Listener {
        private Does next = Does.NOTHING;
        private Memory memory = memories.getFirst();
        private int page;
        private Access access = Access.READ;
        private boolean abandons;
        private boolean acts;

        /** One thing, after which it is ready again unless it waits. */
        void act() {
            acts = true;
            step();
            acts = false;
            if (next != Does.WAIT) {
                ready[readyCount++] = this;
            }
        }

        private void step() {
            switch (next) {
                case NOTHING -> pick();
                case PIN -> pin();
                case FIRST_HALF -> touch(0);
                case SECOND_HALF -> touch(1);
                case LET_GO -> letGo();
                case WAIT -> throw new IllegalStateException("a step of an actor that waits");
            }
        }

        private void pick() {
            memory = memories.get(below(MEMORIES));
            page = below(COLD) == 0 ? below(PAGES) : (below(HOT) + warm) % PAGES;
            int what = below(8);
            access = what < 4 ? Access.READ : what < 7 ? Access.WRITE : Access.OVERWRITE;
            next = Does.PIN;
        }

        private void pin() {
            if (!memory.open) {
                next = Does.NOTHING;
                return;
            }
            if (access == Access.OVERWRITE) {
                memory.overwriters[page]++;
            }
            long position = memory.stage.pin(page, access);
            if (position >= 0) {
                memory.holders++;
                next = Does.FIRST_HALF;
                return;
            }
            waits++;
            next = Does.WAIT;
            memory.stage.acquire(page, access, this);
            memory.pager.poke();
        }

        @Override
        public void onPinned(Stage stage, long pinned) {
            assertEquals(page, pinned);
            abandons = !memory.open || below(8) == 0;
            memory.holders += memory.open ? 1 : 0;
            if (abandons) {
                giveUp();
            }
            resume(abandons ? Does.LET_GO : Does.FIRST_HALF);
        }

        @Override
        public void onRefused(Stage stage, long refused, Refusal reason) {
            refusals++;
            assertTrue(reason == Refusal.LOST || !memory.open, () -> reason + " by an open memory");
            giveUp();
            resume(Does.NOTHING);
        }

        /** What was to be overwritten may be gone and is not written. */
        private void giveUp() {
            if (access == Access.OVERWRITE) {
                memory.expected[2 * page] = UNKNOWN;
                memory.expected[2 * page + 1] = UNKNOWN;
                memory.overwriters[page]--;
            }
        }

        private void resume(Does then) {
            if (next == Does.WAIT) {
                next = then;
                if (!acts) {
                    ready[readyCount++] = this;
                }
            } else {
                throw new IllegalStateException("told twice");
            }
        }

        private void touch(int half) {
            long position = memory.stage.position(page) + half * (long) HALF;
            if (access == Access.READ) {
                check(memory, page, half, position);
                reads++;
            } else {
                long stamp = stamp(memory, page, ++versions);
                machine.set(ValueLayout.JAVA_LONG, position, stamp);
                machine.set(ValueLayout.JAVA_LONG, position + HALF - 8, stamp);
                memory.expected[2 * page + half] = stamp;
                writes++;
            }
            next = half == 0 ? Does.SECOND_HALF : Does.LET_GO;
        }

        private void letGo() {
            if (!abandons && access == Access.OVERWRITE) {
                memory.overwriters[page]--;
            }
            abandons = false;
            memory.stage.unpin(page);
            memory.holders -= memory.open ? 1 : 0;
            next = Does.NOTHING;
        }
    }

    private static long stamp(Memory memory, int page, long version) {
        return (long) memory.id << 52 | (long) page << 40 | (version & 0xff_ffff_ffffL);
    }

    private void check(Memory memory, int page, int half, long position) {
        long head = machine.get(ValueLayout.JAVA_LONG, position);
        long tail = machine.get(ValueLayout.JAVA_LONG, position + HALF - 8);
        long expected = memory.expected[2 * page + half];
        boolean exact = expected != UNKNOWN && memory.overwriters[page] == 0;
        boolean right =
                exact ? head == expected && tail == expected : isOwn(memory, page, head) && isOwn(memory, page, tail);
        digest = digest * 31 + head;
        if (!right) {
            throw new AssertionError("memory " + memory.id + " page " + page + " half " + half + " reads "
                    + Long.toHexString(head) + " and " + Long.toHexString(tail) + ", expected "
                    + Long.toHexString(expected) + (exact ? "" : " or any of its own") + "; "
                    + PageWord.toString(memory.stage.table().word(page)));
        }
    }

    private static boolean isOwn(Memory memory, int page, long stamp) {
        return stamp == 0 || stamp >>> 40 == stamp(memory, page, 0) >>> 40;
    }

    /** Below a limit, by chance. */
    private int below(int limit) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) (((random >>> 32) * limit) >>> 32);
    }

    // --- running

    void run(long stepsMax) {
        for (long step = 0; steps < stepsMax; step++, steps++) {
            if (readyCount == 0 || below(96) == 0) {
                disturb();
            } else {
                actAny();
            }
            if ((step & 0xfff) == 0) {
                warm = (warm + 1) % PAGES;
            }
            if ((step & 0xf_ffff) == 0) {
                audit();
            }
        }
    }

    private void actAny() {
        int index = below(readyCount);
        Actor actor = ready[index];
        ready[index] = ready[--readyCount];
        actor.act();
    }

    /** An actor requests the page that was just chosen to be evicted. */
    private void attract(long name) {
        for (Memory memory : memories) {
            int page = (int) PagerFrames.pageOf(name);
            if (!interrupted
                    && !finishing
                    && readyCount > 0
                    && page < PAGES
                    && PagerFrames.name(memory.stage, page) == name) {
                Actor actor = ready[readyCount - 1];
                if (actor.next == Does.NOTHING) {
                    interrupted = true;
                    readyCount--;
                    actor.pick();
                    actor.memory = memory;
                    actor.page = page;
                    actor.act();
                    interrupted = false;
                }
            }
        }
    }

    /** In the middle of something. */
    private void interrupt() {
        if (!interrupted && !finishing && below(4) == 0) {
            interrupted = true;
            for (int left = below(4); left > 0 && readyCount > 0; left--) {
                actAny();
                steps++;
            }
            interrupted = false;
        }
    }

    private void disturb() {
        int what = below(1000);
        if (readyCount == 0 || what < 700) {
            endTransfer(below(4) == 0 ? guestStore : hostStore);
            if (readyCount == 0) {
                relieve();
            }
        } else if (what < 960) {
            (below(2) == 0 ? host : guest).poke();
        } else if (what < 990) {
            sweep();
        } else if (what < 992) {
            reopen(below(MEMORIES));
        } else if (what < 995) {
            double rate = below(4) == 0 ? 0.05 : 0;
            StoreFaults faults = StoreFaults.NONE.readErrorRate(rate).writeErrorRate(rate);
            (below(2) == 0 ? hostStore : guestStore).inject(below(8) == 0 ? faults.room(500) : faults);
        } else {
            corrupt();
        }
    }

    /** Everybody waits. */
    private void relieve() {
        if (below(1000) == 0) {
            hostStore.inject(StoreFaults.NONE);
            guestStore.inject(StoreFaults.NONE);
        }
        host.poke();
        guest.poke();
    }

    private void endTransfer(SimulatedPageStore store) {
        long due = store.nextDeadlineNs();
        if (due != Long.MAX_VALUE) {
            clock.advanceTo(due);
            store.work(due);
        }
    }

    private void sweep() {
        int which = below(MEMORIES + 1);
        Stage stage = which == MEMORIES ? guestPhysical : memories.get(which).stage;
        int first = below(GUEST_FRAMES);
        ((Pager) stage.driver())
                .evict(stage, first, 1 + below(GUEST_FRAMES - first), (_, left, failed) -> digest += left + failed);
    }

    private void reopen(int which) {
        Memory memory = memories.get(which);
        if (memory.holders == 0 || (below(2) == 0 && drain(memory))) {
            closes++;
            memory.open = false;
            memory.pager.close(memory.stage);
            memories.set(which, new Memory(memory.pager));
        }
    }

    /** Has the actors unpin the pages of a memory. */
    private boolean drain(Memory memory) {
        for (int i = 0; i < readyCount; i++) {
            Actor actor = ready[i];
            while (actor.memory == memory
                    && actor.next != Does.NOTHING
                    && actor.next != Does.PIN
                    && actor.next != Does.WAIT) {
                actor.step();
            }
        }
        return memory.holders == 0;
    }

    private void corrupt() {
        Memory memory = memories.get(below(MEMORIES));
        int page = below(PAGES);
        SimulatedPageStore store = memory.pager == guest ? guestStore : hostStore;
        if (PageWord.state(memory.stage.table().word(page)) == PageWord.State.ABSENT) {
            try {
                store.corrupt(memory.stage.slot(page));
            } catch (IllegalArgumentException holdsNothing) {
                throw new AssertionError("page " + page + " is in the store, and its slot empty", holdsNothing);
            }
        }
    }

    /** No frame has two pages, none is free and used. */
    private void audit() {
        BitSet used = new BitSet();
        for (Memory memory : memories) {
            if (memory.pager == host) {
                audit(memory.stage, used);
            }
        }
        audit(guestPhysical, used);
        BitSet guestUsed = new BitSet();
        memories.stream().filter(memory -> memory.pager == guest).forEach(memory -> audit(memory.stage, guestUsed));
    }

    private static void audit(Stage stage, BitSet used) {
        for (long page = 0; page < stage.table().pages(); page++) {
            long word = stage.table().word(page);
            if (PageWord.isResident(word)) {
                assertTrue(!used.get(PageWord.frame(word)), () -> "frame of two pages: " + PageWord.toString(word));
                used.set(PageWord.frame(word));
            }
        }
    }

    /** Everybody finishes, everything closes, and nothing is left. */
    void finish() {
        finishing = true;
        hostStore.inject(StoreFaults.NONE);
        guestStore.inject(StoreFaults.NONE);
        for (Memory memory : memories) {
            memory.open = false;
            memory.pager.close(memory.stage);
        }
        for (int round = 0; round < 1_000_000 && !isQuiet(); round++) {
            for (int i = readyCount - 1; i >= 0; i--) {
                Actor actor = ready[i];
                if (actor.next != Does.NOTHING) {
                    actor.step();
                }
            }
            endTransfer(guestStore);
            endTransfer(hostStore);
            guest.poke();
            host.poke();
        }
        host.close(guestPhysical);
        for (int round = 0; round < 10_000 && hostStore.slotsUsed() > 0; round++) {
            endTransfer(hostStore);
            host.poke();
        }
        assertEquals(ACTORS, readyCount, "actors that still wait");
        assertEquals(GUEST_FRAMES, guest.framesFree(), "guest frames");
        assertEquals(FRAMES, host.framesFree(), "frames");
        assertEquals(0, guestStore.slotsUsed());
        assertEquals(0, hostStore.slotsUsed());
        assertEquals(0, host.transfers() + guest.transfers());
    }

    private boolean isQuiet() {
        boolean idle = readyCount == ACTORS && guestStore.underWay() + hostStore.underWay() == 0;
        for (int i = 0; idle && i < readyCount; i++) {
            idle = ready[i].next == Does.NOTHING;
        }
        return idle && guest.framesFree() == GUEST_FRAMES;
    }

    String summary() {
        return reads + " reads, " + writes + " writes, " + waits + " waits, " + refusals + " refusals, " + closes
                + " closes, host " + host.counters().snapshot() + ", guest "
                + guest.counters().snapshot();
    }
}
