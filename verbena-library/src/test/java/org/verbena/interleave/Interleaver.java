package org.verbena.interleave;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides by its seed which actor goes on, and for how many steps. A step is one atomic operation of woven code. An actor may
 * also be stopped while it has a lock: others then wait for it as threads would.
 */
@SuppressWarnings("ReferenceEquality") // this very actor is meant
public final class Interleaver {
    private static @Nullable Interleaver current;

    private final List<Actor> actors = new ArrayList<>();
    private final IdentityHashMap<ReentrantLock, Held> locks = new IdentityHashMap<>();
    private Actor[] ready = new Actor[16];
    private int readyCount;
    private long random;
    private long steps;
    private long switches;
    private int left;
    private @Nullable Actor running;
    private int monitors;
    private @Nullable Throwable failure;
    private long sleeps;
    /** Looks whether one may go on: time passes, but that is no step. */
    private long waits;

    private final PriorityQueue<Sleep> sleepers =
            new PriorityQueue<>(Comparator.comparingLong(Sleep::until).thenComparingLong(Sleep::number));

    /** A held lock, and how many times its owner holds it. */
    private record Held(Actor owner, int times) {}

    private record Sleep(long until, long number, Actor actor) {}

    /** One stopped actor in this number stays stopped for long. */
    private static final int FREEZES = 256;

    private static final int FREEZE_STEPS = 8000;

    /** Switches in a row without a step; more mean a deadlock. */
    private static final int IDLE_MAX = 2_000_000;

    /** The only one from now on. */
    @SuppressWarnings("ThisEscapedInObjectConstruction")
    public Interleaver(long seed) {
        random = seed * 2 + 1;
        current = this;
    }

    static Interleaver current() {
        Interleaver it = current;
        if (it == null) {
            throw new IllegalStateException("nobody is acting");
        }
        return it;
    }

    /** Below a limit, by chance. */
    public int below(int limit) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) (((random >>> 32) * limit) >>> 32);
    }

    /** Atomic operations so far. */
    public long steps() {
        return steps;
    }

    /** Times that another went on. */
    public long switches() {
        return switches;
    }

    public void add(Actor actor) {
        actors.add(actor);
        ready(actor);
    }

    /** Something is wrong: the run ends. */
    public void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    /** Runs the actors until this number of steps is done, or all programs are over. */
    public void run(long stepsMax) {
        int idle = 0;
        while (steps < stepsMax && failure == null) {
            wakeSleepers();
            if (readyCount == 0) {
                break;
            }
            long before = steps;
            left = quantum();
            switches++;
            goOn(ready[below(readyCount)]);
            idle = steps == before ? idle + 1 : 0;
            if (idle > IDLE_MAX) {
                fail(new AssertionError("nobody gets on: " + left()));
            }
        }
        Throwable why = failure;
        if (why != null) {
            throw new AssertionError("after " + steps + " steps: " + why.getMessage(), why);
        }
    }

    private void wakeSleepers() {
        for (Sleep first = sleepers.peek();
                first != null && (first.until <= steps + waits || readyCount == 0);
                first = sleepers.peek()) {
            sleepers.remove();
            waits = Math.max(waits, first.until - steps);
            ready(first.actor);
        }
    }

    /** Actors whose programs are not over. */
    public List<Actor> left() {
        return actors.stream().filter(actor -> !actor.isOver()).toList();
    }

    private void goOn(Actor actor) {
        Actor before = running;
        running = actor;
        try {
            actor.goOn();
        } catch (RuntimeException | Error thrown) {
            fail(new AssertionError(actor.name + ": " + thrown, thrown));
        }
        running = before;
        if (actor.isOver()) {
            remove(actor);
        }
    }

    /** Mostly few steps, at times many. */
    private int quantum() {
        int kind = below(16);
        return 1 + (kind < 9 ? below(3) : kind < 15 ? below(12) : below(100));
    }

    // --- for actors

    void ready(Actor actor) {
        if (actor.place < 0 && !actor.isOver()) {
            if (readyCount == ready.length) {
                ready = Arrays.copyOf(ready, 2 * readyCount);
            }
            actor.place = readyCount;
            ready[readyCount++] = actor;
        }
    }

    private void remove(Actor actor) {
        if (actor.place >= 0) {
            Actor last = ready[--readyCount];
            ready[actor.place] = last;
            last.place = actor.place;
            actor.place = -1;
        }
    }

    void block(Actor actor) {
        remove(actor);
        Coroutine.stop();
    }

    void sleep(int most) {
        Actor mine = running;
        if (mine != null) {
            sleepers.add(new Sleep(steps + waits + 1 + below(most), sleeps++, mine));
            block(mine);
        }
    }

    void pass() {
        if (running != null) {
            waits++;
            Coroutine.stop();
        }
    }

    // --- for woven code

    /** The thread that the present actor stands for; the real one between actors. */
    Thread currentThread() {
        Actor mine = running;
        return mine == null ? Thread.currentThread() : mine.thread;
    }

    void point() {
        if (running != null) {
            steps++;
            if (--left <= 0 && monitors == 0) {
                if (below(FREEZES) == 0) {
                    sleep(FREEZE_STEPS);
                } else {
                    Coroutine.stop();
                }
            }
        }
    }

    void enterMonitor() {
        monitors++;
    }

    void exitMonitor() {
        monitors--;
    }

    void lock(ReentrantLock lock) {
        Actor mine = running;
        if (mine == null) {
            return;
        }
        point();
        for (Held held = locks.get(lock); held != null && held.owner != mine; held = locks.get(lock)) {
            waits++;
            if (monitors > 0) {
                pushOut(held.owner);
            } else {
                Coroutine.stop();
            }
        }
        own(lock, mine);
    }

    private void own(ReentrantLock lock, Actor owner) {
        Held held = locks.get(lock);
        locks.put(lock, new Held(owner, held == null ? 1 : held.times + 1));
    }

    /** Somebody inside a monitor wants what another has, who must go on first. */
    private void pushOut(Actor owner) {
        int before = monitors;
        monitors = 0;
        left = 1;
        goOn(owner);
        monitors = before;
    }

    boolean tryLock(ReentrantLock lock) {
        point();
        Held held = locks.get(lock);
        Actor mine = running;
        boolean free = held == null || held.owner == mine;
        if (free && mine != null) {
            own(lock, mine);
        }
        return free;
    }

    void unlock(ReentrantLock lock) {
        if (running == null) {
            return;
        }
        Held held = locks.remove(lock);
        if (held != null && held.times > 1) {
            locks.put(lock, new Held(held.owner, held.times - 1));
        }
        point();
    }

    void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long count) {
        Actor mine = running;
        if (mine == null) {
            MemorySegment.copy(from, fromOffset, to, toOffset, count);
        } else {
            mine.copy.set(from, fromOffset, to, toOffset, count);
            mine.onCopy(mine.copy);
        }
    }

    void atomic() {
        if (running != null) {
            running.onAtomic();
        }
    }
}
