package org.verbena.memory.registration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * Look-ups, closes of arenas and sweeps on several threads at once. Every buffer holds the number of its arena; a copy that is granted must find that number, whatever
 * happens to the arena meanwhile. {@code -Dverbena.registration.operations=10000000} makes it longer.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RegistrationRacesTest {
    private static final int OPERATIONS = Integer.getInteger("verbena.registration.operations", 300_000);
    private static final int USERS = 3;
    private static final int ARENAS = 16;
    private static final int BUFFER = 2048;
    private static final int BUFFERS = 24;

    private final ProtectionTable memory = new ProtectionTable(1 << 16, new Seed(1));
    private final ProtectionDomain domain = memory.createDomain();
    private final BufferTable table = new BufferTable(
            memory,
            "races",
            RegistrationOptions.DEFAULT.withBudget(ARENAS, 1L << 30).withIdleLimit(Duration.ZERO, Duration.ZERO),
            NanoClock.system(),
            _ -> {});
    private final Accessor reader = Accessor.local(domain, 1, Right.LOCAL_READ);
    private final AtomicReferenceArray<Home> homes = new AtomicReferenceArray<>(ARENAS);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean done = new AtomicBoolean();

    /** An arena and its memory, filled with its number. */
    private record Home(Arena arena, MemorySegment memory, long number) {}

    private Home make() {
        Arena arena = Arena.ofShared();
        MemorySegment all = arena.allocate((long) BUFFER * BUFFERS, 64);
        long number = numbers.incrementAndGet();
        for (long at = 0; at < all.byteSize(); at += Long.BYTES) {
            all.set(ValueLayout.JAVA_LONG, at, number);
        }
        return new Home(arena, all, number);
    }

    private void use(int seed) {
        Seed chance = new Seed(seed);
        try (Arena own = Arena.ofConfined()) {
            MemorySegment packet = own.allocate(BUFFER, 8);
            for (int i = 0; i < OPERATIONS / USERS; i++) {
                Home home = homes.get((int) (chance.nextLong() & (ARENAS - 1)));
                int which = (int) Long.remainderUnsigned(chance.nextLong(), BUFFERS);
                int length = 8 + (int) (chance.nextLong() & 127) * 8;
                useOne(home, home.memory.asSlice((long) which * BUFFER, length), packet);
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private void useOne(Home home, MemorySegment buffer, MemorySegment packet) {
        int key;
        try {
            key = table.begin(domain, buffer, false);
        } catch (IllegalStateException closed) {
            refused.incrementAndGet();
            return;
        }
        int length = (int) buffer.byteSize();
        Verdict verdict = memory.gather(reader, key, buffer.address(), packet, 0, length);
        if (verdict == Verdict.GRANTED) {
            granted.incrementAndGet();
            assertEquals(home.number, packet.get(ValueLayout.JAVA_LONG, 0), "bytes of another arena");
            assertEquals(home.number, packet.get(ValueLayout.JAVA_LONG, length - 8), "bytes of another arena");
        } else {
            assertTrue(!home.arena.scope().isAlive(), () -> verdict + " though the arena is open");
            refused.incrementAndGet();
        }
        memory.endOperation(domain, key);
    }

    private void replace() {
        Seed chance = new Seed(99);
        try {
            while (!done.get()) {
                int place = (int) (chance.nextLong() & (ARENAS - 1));
                Home old = homes.getAndSet(place, make());
                old.arena.close();
                LockSupport.parkNanos(1_000);
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private void sweep() {
        try {
            while (!done.get()) {
                table.sweep();
                LockSupport.parkNanos(1_000);
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    @Test
    void aBufferNeverGetsTheBytesOfAnother() throws InterruptedException {
        for (int i = 0; i < ARENAS; i++) {
            homes.set(i, make());
        }
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            int seed = i + 1;
            users.add(Thread.ofPlatform().name("user " + i).start(() -> use(seed)));
        }
        Thread replacer = Thread.ofPlatform().name("replacer").start(this::replace);
        Thread sweeper = Thread.ofPlatform().name("sweeper").start(this::sweep);
        for (Thread user : users) {
            user.join();
        }
        done.set(true);
        replacer.join();
        sweeper.join();
        assertEquals(List.of(), List.copyOf(failures));
        assertTrue(granted.get() > OPERATIONS / 2, granted + " granted, " + refused + " refused");
        assertTrue(table.counts().stale() > 0, table.counts().toString());
        for (int i = 0; i < ARENAS; i++) {
            homes.get(i).arena.close();
        }
        table.sweep();
        table.sweep();
        assertEquals(List.of(), table.list());
        assertEquals(0, table.counts().pinnedBytes());
        assertEquals(0, table.nodes());
    }
}
