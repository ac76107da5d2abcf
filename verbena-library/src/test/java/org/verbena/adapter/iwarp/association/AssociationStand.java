package org.verbena.adapter.iwarp.association;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.association.SimulatedAssociation;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Two adapters whose queue pairs are connected by an association that does not keep the order of messages, in virtual time. */
final class AssociationStand {
    static final int BYTES = 300_000;
    static final int MESSAGE = 1000;
    static final int MESSAGES = 512;
    static final int READS = 4;
    static final long AGAIN_NS = 50_000;
    private static final Endpoint PEER = Endpoint.of("192.0.2.9", 7471);
    private static final long TURN_NS = 1000;

    final VirtualClock clock = new VirtualClock(0);
    final Seed seed;
    private final InProcessNetwork links = new InProcessNetwork();
    final End a = new End();
    final End b = new End();

    AssociationStand(long seed) {
        this.seed = new Seed(seed);
    }

    /** One adapter, and a queue pair. */
    final class End {
        private @Nullable AssociationPort made;
        final Adapter adapter = Openings.open(links.open(), clock, parts -> made = new AssociationPort(parts));
        final AssociationPort port = Objects.requireNonNull(made);
        final ProtectionDomain domain = adapter.createProtectionDomain();
        final CompletionQueue completions = adapter.createCompletionQueue(256);
        final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
        final Region region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        final QueuePair queuePair = adapter.createQueuePair(
                QueuePairOptions.of(domain, completions).withRegister(RegisterFailure.TERMINATE));

        void connect(SimulatedAssociation association) {
            int number = port.add(PEER, association, READS);
            queuePair.connect(new QueuePairAddress(PEER, number, 0), ConnectionOptions.DEFAULT.withReads(READS, READS));
        }

        LocalSegment at(int offset, int length) {
            return LocalSegment.of(region, offset, length);
        }

        RemoteMemory remote(int offset) {
            return RemoteMemory.of(region).plus(offset);
        }

        void post(WorkRequest.Sending request) {
            assertTrue(queuePair.post(request));
        }

        void receive(long id, int offset, int length) {
            assertTrue(queuePair.post(new WorkRequest.Receive(id, List.of(at(offset, length)))));
        }

        void fill(int offset, int length) {
            for (int i = 0; i < length; i++) {
                memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (1 + seed.nextInt(255)));
            }
        }

        Completion expect(long id, Operation operation, Status status) {
            Completion completion = completions.poll();
            assertNotNull(completion, operation + " is not complete");
            assertEquals(status, completion.status());
            assertEquals(id, completion.id());
            assertEquals(operation, completion.operation());
            return completion;
        }
    }

    void connect(SimulatedAssociation.Way way) {
        SimulatedAssociation[] ends = SimulatedAssociation.pair(MESSAGE, 64, way, seed);
        a.connect(ends[0]);
        b.connect(ends[1]);
    }

    /** The queue pair of {@link #a} with a peer that the test plays: a message arrives at the time that its send names. */
    SimulatedAssociation alone() {
        SimulatedAssociation[] ends =
                SimulatedAssociation.pair(MESSAGE, MESSAGES, new SimulatedAssociation.Way(0, 0, AGAIN_NS, 0, 0), seed);
        a.connect(ends[0]);
        return ends[1];
    }

    /** Turns in which time passes. */
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
            clock.advance(TURN_NS);
        }
    }
}
