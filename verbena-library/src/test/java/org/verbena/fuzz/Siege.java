package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * A victim and its peer with two connections between them, and an attacker who speaks in the peer's name on one of them.
 * The other one is innocent: whatever happens, it must work. Everything is driven by hand, in virtual time.
 */
final class Siege implements AutoCloseable {
    static final Mtu MTU = Mtu.MTU_256;
    private static final int RING_BYTES = 64 << 10;
    private static final int TURNS_MAX = 3000;
    private static final long TURN_NS = 20_000;
    private static final int TRANSFER = 5000;

    final VirtualClock clock = new VirtualClock(0);
    final Witness witness;
    final Adapter victim;
    final Adapter peer;
    final Estate estate;
    final Forger forger;
    final Outworks outworks;
    final QueuePair attacked;
    final QueuePair accomplice;
    final Window window;
    private final Link attacker;
    private final CompletionQueue attackedCompletions;
    private final CompletionQueue accompliceCompletions;
    private final CompletionQueue innocentCompletions;
    private final QueuePair innocentHere;
    private final QueuePair innocentThere;
    private final MemorySegment peerLand = Arena.ofAuto().allocate(4L * Estate.STEP, 4096);
    private final MemorySegment innocentLand = peerLand.asSlice(2L * Estate.STEP);
    private final Region peerRegion;
    private final Region innocentRegion;
    private int posted;
    private int completed;

    Siege() {
        InProcessNetwork network = new InProcessNetwork(RING_BYTES);
        witness = new Witness(network.open(), Estate.SECRET);
        victim = adapter(witness, 1);
        peer = adapter(network.open(), 2);
        attacker = network.open(peer.endpoint().withPort(4000));
        ProtectionDomain domain = victim.createProtectionDomain();
        ProtectionDomain innocent = victim.createProtectionDomain();
        ProtectionDomain peerDomain = peer.createProtectionDomain();
        estate = new Estate(victim::register, domain, innocent);
        window = victim.createWindow(domain, Window.Type.TYPE_2);
        ProtectionDomain innocentPeerDomain = peer.createProtectionDomain();
        EnumSet<Right> all = EnumSet.allOf(Right.class);
        peerRegion = peer.register(peerDomain, peerLand.asSlice(0, 2L * Estate.STEP), all);
        innocentRegion = peer.register(innocentPeerDomain, innocentLand, all);
        attackedCompletions = victim.createCompletionQueue(8);
        accompliceCompletions = peer.createCompletionQueue(64);
        innocentCompletions = victim.createCompletionQueue(64);
        attacked = queuePair(victim, domain, attackedCompletions);
        accomplice = queuePair(peer, peerDomain, accompliceCompletions);
        innocentHere = queuePair(victim, innocent, innocentCompletions);
        innocentThere = queuePair(peer, innocentPeerDomain, peer.createCompletionQueue(64));
        connect(attacked, accomplice);
        connect(innocentHere, innocentThere);
        forger = new Forger(attacker, victim.endpoint(), estate, witness, MTU.bytes());
        outworks = new Outworks(victim, domain, peer.endpoint(), estate, forger);
        witness.watch(
                accomplice.number(),
                attacked.address().firstPsn(),
                accomplice.address().firstPsn());
    }

    private Adapter adapter(Link link, long seed) {
        return Adapter.open(
                link,
                clock,
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(seed));
    }

    private static QueuePair queuePair(Adapter adapter, ProtectionDomain domain, CompletionQueue completions) {
        return adapter.createQueuePair(
                QueuePairOptions.of(domain, completions).withCapacity(8, 8).withSegmentsMax(2));
    }

    private static void connect(QueuePair a, QueuePair b) {
        ConnectionOptions how = ConnectionOptions.DEFAULT
                .withMtu(MTU)
                .withReads(2, 2)
                .withRetries(3, Duration.ofMillis(4))
                .withRnr(7, RnrTimer.US_10)
                .withEndToEndCredits(true);
        a.connect(b.address(), how);
        b.connect(a.address(), how);
    }

    /** Posts to the victim's end of the attacked connection, if it takes anything. */
    void post(WorkRequest.Sending request) {
        if (attacked.state().takesSends() && attacked.post(request)) {
            posted++;
        }
    }

    void post(WorkRequest.Receive request) {
        if (attacked.state().takesReceives() && attacked.post(request)) {
            posted++;
        }
    }

    /** Posts to the peer's end, which is honest but confused. */
    void postAtPeer(WorkRequest.Sending request) {
        if (accomplice.state().takesSends()) {
            accomplice.post(request);
        }
    }

    LocalSegment peerSegment(long offset, long length) {
        return LocalSegment.of(peerRegion, offset, length);
    }

    RemoteMemory peerMemory(long offset) {
        return RemoteMemory.of(peerRegion).plus(offset);
    }

    int innocentNumber() {
        return innocentHere.number();
    }

    /** The victim's consumer connects the attacked queue pair once more, from the beginning. */
    void reconnect() {
        attacked.reset();
        accomplice.reset();
        connect(attacked, accomplice);
        witness.watch(
                accomplice.number(),
                attacked.address().firstPsn(),
                accomplice.address().firstPsn());
    }

    void step(long ns) {
        attacker.flush();
        clock.advance(ns);
        victim.work(clock.nowNs());
        peer.work(clock.nowNs());
    }

    /** Takes completions of the attacked connection; there is at most one for each request. */
    void poll() {
        while (attackedCompletions.poll() != null) {
            completed++;
        }
        assertTrue(completed <= posted, () -> completed + " completions of " + posted + " requests");
        while (accompliceCompletions.poll() != null) {
            // The peer's consumer does not care.
        }
    }

    /** Nothing outside the rules happened, and the innocent connection still works. */
    void assertHarmless() {
        estate.assertWallsStand();
        assertFalse(witness.leaked(), "secret memory left in a packet");
        transferInnocently();
        poll();
    }

    private void transferInnocently() {
        MemorySegment source = estate.land.asSlice(Estate.FOREIGN, TRANSFER);
        for (int i = 0; i < TRANSFER; i++) {
            source.set(ValueLayout.JAVA_BYTE, i, (byte) ((i * 31) >> 3));
        }
        RemoteMemory innocentMemory = RemoteMemory.of(innocentRegion);
        innocentThere.post(new WorkRequest.Receive(1, LocalSegment.of(innocentRegion, Estate.STEP, TRANSFER)));
        innocentHere.post(new WorkRequest.Write(1, LocalSegment.of(estate.foreign, 0, TRANSFER), innocentMemory));
        innocentHere.post(new WorkRequest.Send(2, LocalSegment.of(estate.foreign, 0, TRANSFER)));
        innocentHere.post(
                new WorkRequest.Read(3, LocalSegment.of(estate.foreign, 6000, 2000), innocentMemory.plus(1000)));
        for (long id = 1; id <= 3; id++) {
            Completion completion = awaitInnocent();
            assertEquals(Status.SUCCESS, completion.status());
            assertEquals(id, completion.id());
        }
        assertEquals(-1, source.mismatch(innocentLand.asSlice(0, TRANSFER)));
        assertEquals(-1, source.mismatch(innocentLand.asSlice(Estate.STEP, TRANSFER)));
        assertEquals(-1, source.asSlice(1000, 2000).mismatch(estate.land.asSlice(Estate.FOREIGN + 6000, 2000)));
    }

    private Completion awaitInnocent() {
        for (int turn = 0; turn < TURNS_MAX; turn++) {
            Completion completion = innocentCompletions.poll();
            if (completion != null) {
                return completion;
            }
            step(TURN_NS);
        }
        throw new AssertionError("the innocent connection does not work any more");
    }

    @Override
    public void close() {
        victim.close();
        peer.close();
        attacker.close();
    }
}
