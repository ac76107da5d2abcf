package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.LocalSegment;

@OverEachWire
final class BufferPoolTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Ends ends;
    private final ProtectionDomain domain;
    private final BufferPool pool;

    BufferPoolTest(Wire wire) {
        ends = Ends.over(wire);
        domain = ends.a.createProtectionDomain();
        pool = BufferPool.create(ends.a, domain, 100, 3, EnumSet.of(Right.LOCAL_WRITE));
    }

    @AfterEach
    void close() {
        pool.close();
        ends.close();
    }

    @Test
    void buffersHaveTheSizeAndLieInTheRegion() {
        for (int i = 0; i < 3; i++) {
            PooledBuffer buffer = pool.take();
            LocalSegment local = buffer.local();
            assertEquals(100, buffer.segment().byteSize());
            assertEquals(100, buffer.buffer().remaining());
            assertEquals(100, local.length());
            assertEquals(pool.region().key(), local.key());
            assertEquals(buffer.segment().address(), local.address());
            assertEquals(7, buffer.local(7).length());
            assertThrows(IllegalArgumentException.class, () -> buffer.local(101));
        }
    }

    @Test
    void aTakenBufferIsNotTakenAgain() {
        var numbers =
                List.of(pool.take().number(), pool.take().number(), pool.take().number());
        assertEquals(3, numbers.stream().distinct().count());
        assertNull(pool.tryTake());
        assertEquals(0, pool.available());
    }

    @Test
    void anExhaustedPoolSaysSo() throws InterruptedException {
        takeAll();
        String text = assertThrows(IllegalStateException.class, pool::take).toString();
        assertTrue(text.contains("all 3 buffers"), text);
        assertNull(pool.take(Duration.ZERO));
        assertNull(pool.take(Duration.ofMillis(1)));
    }

    private void takeAll() {
        for (int i = 0; i < 3; i++) {
            assertNotNull(pool.tryTake());
        }
    }

    @Test
    void aBufferIsGivenOnce() {
        PooledBuffer buffer = pool.take();
        buffer.close();
        String text = assertThrows(IllegalStateException.class, buffer::close).toString();
        assertTrue(text.contains("given back already"), text);
        assertEquals(3, pool.available());
    }

    @Test
    void aBufferOfAnotherPoolIsRefused() {
        try (BufferPool other = BufferPool.create(ends.a, domain, 100, 1, EnumSet.noneOf(Right.class))) {
            PooledBuffer buffer = other.take();
            assertThrows(IllegalArgumentException.class, () -> pool.give(buffer));
        }
    }

    @Test
    void aThreadThatWaitsGetsTheBufferThatIsGiven() throws Exception {
        PooledBuffer first = pool.take();
        assertNotNull(pool.tryTake());
        assertNotNull(pool.tryTake());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<PooledBuffer> waiter = threads.submit(() -> pool.take(LONG));
            first.close();
            assertSame(first, waiter.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void closingEndsAWait() throws Exception {
        takeAll();
        var waiting = new CompletableFuture<Thread>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<PooledBuffer> waiter = threads.submit(() -> {
                waiting.complete(Thread.currentThread());
                return pool.take(LONG);
            });
            waiting.get(30, TimeUnit.SECONDS);
            pool.close();
            var failure = assertThrows(ExecutionException.class, () -> waiter.get(30, TimeUnit.SECONDS));
            assertTrue(failure.getCause() instanceof IllegalStateException, failure::toString);
        }
    }

    @Test
    void aClosedPoolTakesBackInSilenceAndGivesNothing() {
        PooledBuffer buffer = pool.take();
        pool.close();
        pool.close();
        buffer.close();
        assertThrows(IllegalStateException.class, pool::take);
        assertThrows(IllegalStateException.class, () -> buffer.segment().get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(0, domain.entries());
    }

    @Test
    void sizesBelowOneAndDomainsOfOtherAdaptersAreRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> BufferPool.create(ends.a, domain, 0, 1, EnumSet.noneOf(Right.class)));
        assertThrows(
                IllegalArgumentException.class,
                () -> BufferPool.create(ends.a, domain, 1, 0, EnumSet.noneOf(Right.class)));
        assertThrows(
                IllegalArgumentException.class,
                () -> BufferPool.create(ends.b, domain, 1, 1, EnumSet.noneOf(Right.class)));
    }

    @Test
    void manyThreadsNeverHoldTheSameBuffer() throws Exception {
        var results = new ArrayList<Future<Boolean>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int t = 1; t <= 16; t++) {
                byte mine = (byte) t;
                results.add(threads.submit(() -> isAlone(mine)));
            }
            for (Future<Boolean> result : results) {
                assertTrue(result.get(60, TimeUnit.SECONDS));
            }
        }
        assertEquals(3, pool.available());
        assertFalse(pool.toString().isEmpty());
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield invites another thread into the same buffer
    private boolean isAlone(byte mine) throws InterruptedException {
        for (int round = 0; round < 500; round++) {
            try (PooledBuffer buffer = pool.take(LONG)) {
                if (buffer == null) {
                    return false;
                }
                buffer.segment().fill(mine);
                Thread.yield();
                for (int i = 0; i < 100; i++) {
                    if (buffer.segment().get(ValueLayout.JAVA_BYTE, i) != mine) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
