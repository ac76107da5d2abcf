package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.EntryType;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.TableEntry;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.time.VirtualClock;

/** Protection domains that are bound to the owner of memory. */
@OverEachWire
final class MemoryOwnerTest {
    private static final int BYTES = 1 << 14;
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private final VirtualClock clock = new VirtualClock(0);
    private final Wire wire;
    private final Wires wires;
    private final Node peer;
    private final Adapter adapter;
    private final CompletionQueue completions;
    private final Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(16L << 20));
    private final Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(1 << 20));
    private final Domain other = hypervisor.createGuest(GuestOptions.ofPhysical(1 << 20));
    private final ManagedMemory memory = guest.allocate(BYTES);
    private final ManagedMemory othersMemory = other.allocate(BYTES);

    MemoryOwnerTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
        peer = new Node(wires.open(clock, options("peer")), BYTES);
        adapter = wires.open(clock, options("guests"));
        completions = adapter.createCompletionQueue(64);
    }

    private static AdapterOptions options(String name) {
        return AdapterOptions.DEFAULT
                .withName(name)
                .withRun(AdapterOptions.Run.MANUAL)
                .withSeed(7);
    }

    @AfterEach
    void close() {
        peer.adapter.close();
        adapter.close();
        guest.close();
        other.close();
    }

    private void run() {
        for (int i = 0; i < 400; i++) {
            peer.adapter.work(clock.nowNs());
            adapter.work(clock.nowNs());
            clock.advance(100_000);
        }
    }

    private QueuePair pairOf(ProtectionDomain domain) {
        return adapter.createQueuePair(QueuePairOptions.of(domain, completions).withInlineMax(64));
    }

    private QueuePair connected(ProtectionDomain domain) {
        QueuePair queuePair = pairOf(domain);
        Wires.connect(peer.queuePair, queuePair, ConnectionOptions.DEFAULT);
        return queuePair;
    }

    private Completion completion() {
        return Objects.requireNonNull(completions.poll());
    }

    private static String refusal(Runnable action) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, action::run).getMessage());
    }

    @Test
    void memoryOfAnotherOwnerCannotBeRegistered() {
        ProtectionDomain guests = adapter.createProtectionDomain(guest);
        ProtectionDomain hosts = adapter.createProtectionDomain(hypervisor.host());
        Region others = adapter.register(adapter.createProtectionDomain(), othersMemory, 0, ALL);
        MemorySegment foreign = Arena.ofAuto().allocate(BYTES);
        String why = ": " + Verdict.WRONG_MEMORY_DOMAIN.reason();
        String ofOther = "memory of domain 2 found, memory of guest domain 1 expected in protection domain 1" + why;
        assertEquals(ofOther, refusal(() -> adapter.register(guests, othersMemory, 0, ALL)));
        assertEquals(ofOther, refusal(() -> adapter.share(others, guests, ALL)));
        String ofHost = "memory of domain 0 found, memory of guest domain 1 expected in protection domain 1" + why;
        assertEquals(ofHost, refusal(() -> adapter.register(guests, foreign, ALL)));
        assertEquals(ofHost, refusal(() -> adapter.reserve(guests, foreign, ALL)));
        assertEquals(
                "memory of domain 1 found, memory of host domain expected in protection domain 2" + why,
                refusal(() -> adapter.register(hosts, memory, 0, ALL)));
        assertEquals(0, guests.entries());
        assertEquals(0, hosts.entries());
        assertEquals(0, memory.uses());
        adapter.register(guests, memory, 0, ALL);
        adapter.register(hosts, foreign, ALL);
    }

    @Test
    void aGuestSendsFromItsMemoryAndItsPeerWritesToIt() {
        ProtectionDomain domain = adapter.createProtectionDomain(guest);
        assertEquals(guest, domain.memoryDomain().orElseThrow());
        Region region = adapter.register(domain, memory, 0, ALL);
        QueuePair queuePair = connected(domain);
        peer.memory.set(ValueLayout.JAVA_LONG, 0, 42);
        peer.queuePair.post(new WorkRequest.Write(1, peer.segment(0, 8), RemoteMemory.of(region)));
        run();
        assertEquals(Status.SUCCESS, peer.drain().getFirst().status());
        MemorySegment found = Arena.ofAuto().allocate(8);
        memory.read(0, found);
        assertEquals(42, found.get(ValueLayout.JAVA_LONG, 0));
        queuePair.post(new WorkRequest.Write(2, LocalSegment.of(region, 0, 8), peer.remote(64)));
        run();
        assertEquals(Status.SUCCESS, completion().status());
        assertEquals(42, peer.memory.get(ValueLayout.JAVA_LONG, 64));
    }

    /** The key is valid, but it is of a protection domain that has all memory. */
    @Test
    void aKeyOnMemoryOfAnotherOwnerIsRefusedToTheQueuePairsOfAGuest() {
        Region others = adapter.register(adapter.createProtectionDomain(), othersMemory, 0, ALL);
        QueuePair queuePair = connected(adapter.createProtectionDomain(guest));
        queuePair.post(new WorkRequest.Write(1, LocalSegment.of(others, 0, 8), peer.remote(0)));
        run();
        Completion refused = completion();
        assertEquals(Status.LOCAL_PROTECTION_ERROR, refused.status());
        assertEquals(Verdict.WRONG_MEMORY_DOMAIN, refused.detail());
        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    @Test
    void aKeyOnMemoryOfAnotherOwnerIsRefusedToThePeersOfAGuest() {
        Region others = adapter.register(adapter.createProtectionDomain(), othersMemory, 0, ALL);
        QueuePair queuePair = connected(adapter.createProtectionDomain(guest));
        peer.memory.fill((byte) 7);
        peer.queuePair.post(new WorkRequest.Write(1, peer.segment(0, 8), RemoteMemory.of(others)));
        run();
        Status seen = peer.drain().getFirst().status();
        assertEquals(wire == Wire.IWARP ? Status.SUCCESS : Status.REMOTE_ACCESS_ERROR, seen);
        assertEquals(QueuePairState.ERROR, queuePair.state());
        byte[] found = new byte[8];
        MemorySegment copy = Arena.ofAuto().allocate(8);
        othersMemory.read(0, copy);
        MemorySegment.copy(copy, 0, MemorySegment.ofArray(found), 0, 8);
        assertArrayEquals(new byte[8], found);
    }

    @Test
    void aBufferWithoutARegistrationIsTheHosts() {
        QueuePair queuePair = connected(adapter.createProtectionDomain(guest));
        MemorySegment buffer = Arena.ofShared().allocate(64);
        WorkRequest.Send send = new WorkRequest.Send(1, LocalSegment.of(buffer));
        assertEquals(
                "memory of domain 0 found, memory of guest domain 1 expected in protection domain 1: "
                        + Verdict.WRONG_MEMORY_DOMAIN.reason(),
                refusal(() -> queuePair.post(send)));
        assertEquals(QueuePairState.READY_TO_SEND, queuePair.state());
    }

    @Test
    void theQueuePairsOfAGuestFailWhenItIsClosed() {
        ProtectionDomain mine = adapter.createProtectionDomain(guest);
        ProtectionDomain others = adapter.createProtectionDomain(other);
        QueuePair queuePair = connected(mine);
        Region region = adapter.register(mine, memory, 0, ALL);
        queuePair.post(new WorkRequest.Receive(1, LocalSegment.of(region)));
        Node second = new Node(wires.open(clock, options("second")), BYTES);
        QueuePair innocent = pairOf(others);
        Wires.connect(second.queuePair, innocent, ConnectionOptions.DEFAULT);
        guest.close();
        run();
        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertEquals(QueuePairState.READY_TO_SEND, innocent.state());
        assertEquals(Status.FLUSHED, completion().status());
        String closed = "protection domain 1 is bound to guest domain 1, which is closed";
        assertEquals(
                closed,
                assertThrows(IllegalStateException.class, () -> pairOf(mine)).getMessage());
        assertEquals(
                "guest domain 1 is closed",
                assertThrows(IllegalStateException.class, () -> adapter.createProtectionDomain(guest))
                        .getMessage());
        queuePair.close();
        region.close();
        mine.close();
        second.adapter.close();
    }

    @Test
    void theTableShowsBothKeysOfAnEntry() {
        Region guests =
                adapter.register(adapter.createProtectionDomain(guest), memory, 4096, Set.of(Right.LOCAL_WRITE));
        Region hosts = adapter.register(
                adapter.createProtectionDomain(), Arena.ofAuto().allocate(BYTES), Set.of(Right.LOCAL_READ));
        List<TableEntry> entries = adapter.protectionEntries();
        assertEquals(2, entries.size());
        TableEntry entry = entryOf(guests, entries);
        Set<Right> rights = Set.of(Right.LOCAL_READ, Right.LOCAL_WRITE);
        assertEquals(
                new TableEntry(guests.key(), EntryType.REGION, 1, 1, entry.secondKey(), 4096, BYTES, rights, true),
                entry);
        assertEquals(
                guest, hypervisor.domain(MemoryKey.index(entry.secondKey())).orElseThrow());
        assertEquals(MemoryKey.instance(guests.key()), MemoryKey.instance(entry.secondKey()));
        assertEquals(0, entryOf(hosts, entries).secondKey());
        guest.close();
        assertEquals(false, entryOf(guests, adapter.protectionEntries()).valid());
    }

    private static TableEntry entryOf(Region region, List<TableEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.key() == region.key())
                .findFirst()
                .orElseThrow();
    }
}
