package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.PagedWorld;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.GuestDriver;
import org.verbena.memory.hypervisor.GuestFault;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** A peer and memory of a guest: faults of stage one and of stage two, as the wire sees them. */
@OverSwitches
final class GuestFaultFlowTest {
    private static final int PAGE = PagedWorld.PAGE;
    private static final SimulatedWire WIRE = new SimulatedWire(5_000, 12_500_000_000L, 1024);
    private static final ConnectionOptions HOW = ConnectionOptions.DEFAULT
            .withMtu(Mtu.MTU_4096)
            .withRetries(7, Duration.ofMillis(20))
            .withRnr(7, RnrTimer.US_640)
            .withReads(16, 16);
    private static final long PHYSICAL = 1 << 20;

    private final PagedWorld world =
            new PagedWorld(new PagedWorld.Sizes(1 << 20, 1 << 20, 80_000), WIRE, LinkFaults.NONE, 3);
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();

    private Domain guest(GuestDriver driver) {
        return world.server.hypervisor.createGuest(
                GuestOptions.ofPhysical(PHYSICAL).withDriver(driver, calls::add));
    }

    private Region register(ManagedMemory memory) {
        return world.server.adapter.register(world.server.domain, memory, 0x5000_0000L, EnumSet.allOf(Right.class));
    }

    private List<Completion> complete(PagedWorld.Side side, int count) {
        List<Completion> all = new ArrayList<>();
        world.runUntil(
                () -> {
                    for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                        call.run();
                    }
                    all.addAll(side.drain());
                    return all.size() >= count;
                },
                30_000_000_000L);
        return all;
    }

    private void succeed(int count) {
        complete(world.client, count).forEach(c -> assertEquals(Status.SUCCESS, c.status(), c::toString));
    }

    private static RemoteMemory at(Region region, long offset) {
        return RemoteMemory.of(region).plus(offset);
    }

    private void write(QueuePair from, long id, int length, RemoteMemory target) {
        LocalSegment data = world.client.segment(0, length);
        assertTrue(from.post(new WorkRequest.Write(id, Payload.of(data), target, SendOptions.SIGNALLED)));
    }

    private void read(QueuePair from, long id, int length, RemoteMemory source) {
        LocalSegment into = world.client.segment(0, length);
        assertTrue(from.post(new WorkRequest.Read(id, List.of(into), source, SendOptions.SIGNALLED)));
    }

    private static byte[] bytes(ManagedMemory memory, long offset, int length) {
        byte[] found = new byte[length];
        memory.read(offset, MemorySegment.ofArray(found));
        return found;
    }

    @Test
    void allOperationsMeetFaultsOfBothStages() {
        try (world;
                Domain guest = world.server.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL))) {
            ManagedMemory memory = guest.allocate(4 * PHYSICAL);
            int pages = (int) (memory.length() / PAGE);
            byte[] pattern = Exchange.pattern((int) memory.length(), 5);
            memory.write(0, MemorySegment.ofArray(pattern)); // four times the memory of the guest, and of the machine
            world.pass(1_000_000_000); // the store has run ahead of the clock
            Region region = register(memory);
            List<QueuePair> pair = world.connect(HOW);
            QueuePair client = pair.getFirst();
            QueuePair server = pair.getLast();
            for (int round = 0; round < 60; round++) {
                int page = round * 37 % (pages - 2);
                long offset = (long) page * PAGE + 100;
                read(client, round, PAGE, at(region, offset));
                succeed(1);
                byte[] expected = new byte[PAGE];
                System.arraycopy(pattern, (int) offset, expected, 0, PAGE);
                assertArrayEquals(expected, world.client.bytesAt(0, PAGE), "read " + round);

                byte[] written = world.client.fill(0, 5000, round);
                long target = (long) ((page + 301) % (pages - 3)) * PAGE + 10;
                write(client, round, 5000, at(region, target));
                succeed(1);
                System.arraycopy(written, 0, pattern, (int) target, 5000);

                byte[] sent = world.client.fill(0, 300, round + 1);
                long landing = (long) ((page + 611) % (pages - 3)) * PAGE + 4000;
                assertTrue(server.post(new WorkRequest.Receive(round, List.of(LocalSegment.of(region, landing, 300)))));
                LocalSegment message = world.client.segment(0, 300);
                assertTrue(client.post(new WorkRequest.Send(round, Payload.of(message), SendOptions.SIGNALLED)));
                succeed(1);
                assertEquals(
                        Status.SUCCESS, complete(world.server, 1).getFirst().status());
                System.arraycopy(sent, 0, pattern, (int) landing, 300);

                long counter = (long) ((page + 811) % pages) * PAGE + 64;
                MemorySegment shadow = MemorySegment.ofArray(pattern);
                long before = shadow.get(ValueLayout.JAVA_LONG_UNALIGNED, counter);
                LocalSegment original = world.client.segment(8192, 8);
                assertTrue(client.post(
                        new WorkRequest.FetchAdd(round, original, at(region, counter), 3, SendOptions.SIGNALLED)));
                succeed(1);
                shadow.set(ValueLayout.JAVA_LONG_UNALIGNED, counter, before + 3);
            }
            assertArrayEquals(pattern, bytes(memory, 0, pattern.length));
            assertTrue(guest.faults().stageOne() > 100, guest.faults().toString());
            assertTrue(guest.faults().stageTwo() > 100, guest.faults().toString());
            assertTrue(world.server.counted(Counter.SENT_FAULT_RNR_NAKS) > 50);
            assertEquals(0, world.client.counted(Counter.RESUMED_BY_ACK_TIMEOUT));
            assertEquals(0, world.client.counted(Counter.ACK_TIMEOUTS));
            region.close();
            memory.close();
        }
    }

    @Test
    void aStageTwoFaultAloneDoesNotTroubleTheGuest() {
        List<Long> asked = new ArrayList<>();
        try (world;
                Domain guest = guest(fault -> {
                    asked.add(fault.page());
                    fault.map(fault.page() + 7);
                })) {
            ManagedMemory memory = guest.allocate(16 * PAGE);
            Region region = register(memory);
            QueuePair client = world.connect(HOW).getFirst();
            byte[] data = world.client.fill(0, 100, 1);
            write(client, 1, 100, at(region, 50));
            succeed(1);
            assertEquals(List.of(0L), asked);
            assertEquals(
                    0,
                    Eviction.evict(world.server.hypervisor, world.server.store, guest.physical(), 7, 1),
                    "guest physical page 7");
            long before = guest.faults().stageTwo();
            read(client, 2, 100, at(region, 50));
            succeed(1);
            assertArrayEquals(data, world.client.bytesAt(0, 100));
            assertEquals(List.of(0L), asked);
            assertEquals(before + 1, guest.faults().stageTwo());
            assertArrayEquals(data, bytes(guest.physical(), 7L * PAGE + 50, 100));
            region.close();
        }
    }

    @Test
    void aRefusalIsARemoteAccessError() {
        try (world;
                Domain guest = guest(GuestFault::refuse)) {
            Region region = register(guest.allocate(16 * PAGE));
            write(world.connect(HOW).getFirst(), 1, 100, at(region, 50));
            assertEquals(
                    Status.REMOTE_ACCESS_ERROR,
                    complete(world.client, 1).getFirst().status());
            read(world.connect(HOW).getFirst(), 2, 100, at(region, 50));
            assertEquals(
                    Status.REMOTE_ACCESS_ERROR,
                    complete(world.client, 1).getFirst().status());
            region.close();
        }
    }

    @Test
    void aDriverThatNeverAnswersFailsOneQueuePairOnly() {
        List<GuestFault> kept = new ArrayList<>();
        try (world;
                Domain dead = guest(kept::add)) {
            Region region = register(dead.allocate(16 * PAGE));
            QueuePair doomed = world.connect(HOW).getFirst();
            QueuePair sound = world.connect(HOW).getFirst();
            world.server.fill(0, 64 * PAGE, 4);
            world.server.evict(0, 64);
            write(doomed, 99, 100, at(region, 50));
            for (int i = 0; i < 64; i++) {
                read(sound, i, 64, world.server.remote((long) i * PAGE));
                succeed(1);
            }
            assertEquals(1, kept.size());
            Completion failed = complete(world.client, 1).getFirst();
            assertEquals(99, failed.id());
            assertEquals(Status.REMOTE_OPERATIONAL_ERROR, failed.status());
            read(sound, 100, 64, world.server.remote(0));
            succeed(1);
            kept.getFirst().map(0); // too late, and harmless
            world.pass(1_000_000);
            read(sound, 101, 64, world.server.remote(0));
            succeed(1);
            region.close();
        }
    }

    /** Access to a swapped-out region is refused, whichever driver writes its tables; later the same key gives the same bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGuestsRegionThatIsSwappedOutIsARemoteAccessError(boolean ownDriver) {
        try (world;
                Domain guest = ownDriver
                        ? guest(fault -> fault.map(fault.page() + 7))
                        : world.server.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL))) {
            ManagedMemory memory = guest.allocate(16 * PAGE);
            Region region = world.server.adapter.register(
                    world.server.domain,
                    memory,
                    0x5000_0000L,
                    EnumSet.allOf(Right.class),
                    CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
            QueuePair client = world.connect(HOW).getFirst();
            byte[] data = world.client.fill(0, 100, 1);
            write(client, 1, 100, at(region, 50));
            succeed(1);
            await(world.server.hypervisor.swapOut(region));
            write(client, 2, 100, at(region, 50));
            assertEquals(
                    Status.REMOTE_ACCESS_ERROR,
                    complete(world.client, 1).getFirst().status());
            QueuePair reader = world.connect(HOW).getFirst();
            read(reader, 3, 100, at(region, 50));
            assertEquals(
                    Status.REMOTE_ACCESS_ERROR,
                    complete(world.client, 1).getFirst().status());
            assertEquals(0, memory.residency().resident());

            await(world.server.hypervisor.swapIn(region));
            QueuePair again = world.connect(HOW).getFirst();
            world.client.fill(0, 100, 2);
            read(again, 4, 100, at(region, 50));
            succeed(1);
            assertArrayEquals(data, world.client.bytesAt(0, 100));
            region.close();
            memory.close();
        }
    }

    /** Errands run on a thread of their own, at any time. */
    private void await(CompletableFuture<?> swap) {
        while (!swap.isDone()) {
            world.pass(100_000);
            Thread.onSpinWait();
        }
        assertFalse(swap.isCompletedExceptionally());
    }

    @Test
    void aClosedGuestIsAProtectionErrorForWhoAccessesIt() {
        try (world) {
            Domain guest = guest(_ -> {});
            Region region = register(guest.allocate(16 * PAGE));
            QueuePair waiting = world.connect(HOW).getFirst();
            write(waiting, 1, 100, at(region, 50));
            world.pass(1_000_000);
            guest.close();
            assertEquals(
                    Status.REMOTE_ACCESS_ERROR,
                    complete(world.client, 1).getFirst().status());
            QueuePair late = world.connect(HOW).getFirst();
            write(late, 2, 100, at(region, 50));
            assertEquals(
                    Status.REMOTE_ACCESS_ERROR,
                    complete(world.client, 1).getFirst().status());
            region.close();
        }
    }
}
