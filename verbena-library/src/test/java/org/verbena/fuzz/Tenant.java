package org.verbena.fuzz;

import java.lang.foreign.MemorySegment;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.RegisterFailure;
import org.verbena.adapter.ib.message.ConnectParameters;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.adapter.pair.RegisterWork;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.LocalSegments;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.RingMemory;
import org.verbena.queue.SendSlot;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.RemoteMemory;
import org.verbena.wire.ib.Partitions;

/** A consumer of an engine that has its rings in its own hands, with one queue pair and one peer. */
final class Tenant {
    static final int CAPACITY = 4;
    static final int SEGMENTS = 1;
    static final int INLINE = 16;
    static final int SEND_SLOT = SendSlot.length(SEGMENTS, INLINE);
    static final int RECEIVE_SLOT = ReceiveSlot.length(SEGMENTS);
    private static final int FIRST_PSN = 0xff_fff0;

    final Machine machine;
    final Pair connection;
    final Ring sends = ring(RingKind.SEND, SEND_SLOT);
    final Ring receives = ring(RingKind.RECEIVE, RECEIVE_SLOT);
    final CompletionRing completions = new CompletionRing(16);

    Tenant(Machine machine, int number, ProtectionDomain domain) {
        this.machine = machine;
        var operations = new OperationCount(machine.parts.memory(), domain);
        var source = new ReceiveSource(receives, false, machine.parts.events(), operations);
        var queues = new Queues(sends, source, completions, completions);
        this.connection = new Pair(
                number,
                domain,
                queues,
                machine.parts,
                machine.carriers,
                new RegisterWork(RegisterFailure.TERMINATE, CAPACITY));
        machine.engine.add(connection);
    }

    private static Ring ring(RingKind kind, int slotLength) {
        return Ring.create(RingMemory.LOCAL.allocate(Ring.lengthOf(CAPACITY, slotLength)), kind, CAPACITY, slotLength);
    }

    void connect(QueuePair peer, Mtu mtu) {
        ConnectionOptions how = ConnectionOptions.DEFAULT.withMtu(mtu);
        QueuePairAddress there = peer.address();
        connection.initialize(how.remoteRights());
        connection.readyToReceive(new ConnectParameters(
                PairService.RELIABLE_CONNECTION,
                there.endpoint(),
                there.number(),
                LinkFlow.of(0),
                Partitions.DEFAULT_KEY,
                mtu,
                new ReceiveParameters(there.firstPsn(), 4, how.rnrTimer(), true, how.peerRnrRetries())));
        connection.readyToSend(new SendParameters(FIRST_PSN, 4, 4_000_000, 3, 7));
        peer.connect(new QueuePairAddress(Endpoint.of(machine.link.local()), connection.number(), FIRST_PSN), how);
    }

    /** Posts as an honest consumer does: one segment of memory, and a completion at the end. */
    void post(Operation operation, long id, Region memory, long length, RemoteMemory remote) {
        long position = sends.claim();
        MemorySegment slots = sends.memory();
        long slot = sends.slot(position);
        SendSlot.begin(slots, slot, id, operation, SendSlot.FLAG_SIGNALLED);
        SendSlot.segments(slots, slot, 1);
        SendSlot.remote(slots, slot, remote.address(), remote.key());
        SendSlot.messageLength(slots, slot, length);
        LocalSegments.write(slots, slot + SendSlot.HEADER_LENGTH, memory.address(), length, memory.key());
        sends.publish(position);
        ring();
    }

    void ring() {
        machine.engine.doorbell().ring(connection.number());
    }
}
