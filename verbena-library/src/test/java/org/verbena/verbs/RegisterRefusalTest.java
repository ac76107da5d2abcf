package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;

/** Registrations that the send queue refuses: the status, the verdict, the queue pair and its peer afterwards, with both effects of a failure. */
@OverEachWire
final class RegisterRefusalTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private final Pair pair;
    private final Node a;
    private final Node b;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment onePage = arena.allocate(4096, 4096);

    RegisterRefusalTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
    }

    @AfterEach
    void close() {
        pair.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /** A reason for which a registration is refused. */
    enum Refusal {
        TOO_MANY_PAGES(Verdict.NO_ROOM),
        MEMORY_INTO_A_REGION_WITH_FIXED_MEMORY(Verdict.NO_ROOM),
        NO_MEMORY(Verdict.NO_MEMORY),
        MEMORY_CLOSED(Verdict.BACKING_CLOSED),
        REGION_CLOSED(Verdict.NO_ENTRY),
        NO_SUCH_INDEX(Verdict.INDEX_OUT_OF_RANGE),
        KEY_OF_A_REGISTERED_REGION(Verdict.WRONG_TYPE),
        VALID_ALREADY(Verdict.ALREADY_VALID),
        KEY_OF_ANOTHER_DOMAIN(Verdict.WRONG_DOMAIN);

        final Verdict verdict;

        Refusal(Verdict verdict) {
            this.verdict = verdict;
        }
    }

    private WorkRequest.Register request(int key, PreparedMemory memory) {
        return new WorkRequest.Register(5, key, memory, SendOptions.UNSIGNALLED);
    }

    /** Posts a registration that will be refused. */
    private void post(QueuePair mine, Refusal refusal) {
        PreparedMemory memory = PreparedMemory.of(onePage, ALL);
        Region region = a.adapter.reserve(a.domain, 1);
        switch (refusal) {
            case TOO_MANY_PAGES ->
                mine.post(request(region.key(), PreparedMemory.of(Arena.ofAuto().allocate(4097, 4096), ALL)));
            case MEMORY_INTO_A_REGION_WITH_FIXED_MEMORY ->
                mine.post(request(a.adapter.reserve(a.domain, onePage, ALL).key(), memory));
            case NO_MEMORY -> mine.post(new WorkRequest.Register(5, region.key(), SendOptions.UNSIGNALLED));
            case MEMORY_CLOSED -> {
                mine.post(request(region.key(), memory));
                arena.close();
            }
            case REGION_CLOSED -> {
                mine.post(request(region.key(), memory));
                region.close();
            }
            case NO_SUCH_INDEX -> mine.post(request(MemoryKey.of(MemoryKey.INDEX_LIMIT - 1, 0), memory));
            case KEY_OF_A_REGISTERED_REGION -> mine.post(request(a.region.key(), memory));
            case VALID_ALREADY -> {
                mine.post(request(region.key(), memory));
                mine.post(request(MemoryKey.next(region.key()), memory));
            }
            case KEY_OF_ANOTHER_DOMAIN ->
                mine.post(request(
                        a.adapter.reserve(a.adapter.createProtectionDomain(), 1).key(), memory));
        }
    }

    private List<Status> statuses(Node node) {
        return node.drain().stream().map(Completion::status).toList();
    }

    private QueuePair create(Node node, RegisterFailure failure) {
        return node.adapter.createQueuePair(
                QueuePairOptions.of(node.domain, node.completions).withRegister(failure));
    }

    /** A read before the registration is finished, the send behind it is flushed, the receive stays. */
    @ParameterizedTest
    @EnumSource(Refusal.class)
    void withDrainTheConnectionStaysAndTheRegistrationCanBeRepeated(Refusal refusal) {
        QueuePair mine = create(a, RegisterFailure.DRAIN);
        QueuePair theirs = create(b, RegisterFailure.DRAIN);
        Wires.Joined _ = Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        mine.post(new WorkRequest.Receive(9, a.segment(0, 16)));
        mine.post(new WorkRequest.Read(2, a.segment(4096, 20_000), b.remote(0)));
        post(mine, refusal);
        mine.post(new WorkRequest.Send(4, a.segment(0, 8)));
        pair.run();

        List<Completion> done = a.drain();
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED),
                done.stream().map(Completion::status).toList());
        assertEquals(refusal.verdict, done.get(1).detail());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
        assertEquals(List.of(), statuses(b), "nothing of the send has left");

        theirs.post(new WorkRequest.Send(5, b.segment(0, 8)));
        theirs.post(new WorkRequest.Read(6, b.segment(64, 8000), a.remote(4096)));
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS), statuses(b));
        assertEquals(List.of(9L), a.drain().stream().map(Completion::id).toList());

        mine.post(new WorkRequest.Send(7, a.segment(0, 8)));
        pair.run();
        assertEquals(List.of(Status.FLUSHED), statuses(a), "until the consumer resumes");
        mine.resume();
        Region another = a.adapter.reserve(a.domain, 1);
        theirs.post(new WorkRequest.Receive(11, b.segment(0, 16)));
        MemorySegment retried = Arena.ofAuto().allocate(4096, 4096);
        mine.post(new WorkRequest.Register(12, another.key(), PreparedMemory.of(retried, ALL), SendOptions.SIGNALLED));
        mine.post(new WorkRequest.Send(13, a.segment(0, 8)));
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS), statuses(a));
        assertEquals(List.of(11L), b.drain().stream().map(Completion::id).toList());
        assertTrue(another.isValid());
        assertEquals(QueuePairState.READY_TO_SEND, mine.state());
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void withTerminateTheQueuePairFailsAndEverythingIsFlushed(Refusal refusal) {
        QueuePair mine = create(a, RegisterFailure.TERMINATE);
        QueuePair theirs = create(b, RegisterFailure.TERMINATE);
        Wires.Joined _ = Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        mine.post(new WorkRequest.Receive(9, a.segment(0, 16)));
        mine.post(new WorkRequest.Read(2, a.segment(4096, 20_000), b.remote(0)));
        post(mine, refusal);
        mine.post(new WorkRequest.Send(4, a.segment(0, 8)));
        pair.run();
        List<Completion> done = a.drain();
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED, Status.FLUSHED),
                done.stream().map(Completion::status).toList());
        assertEquals(refusal.verdict, done.get(1).detail());
        assertEquals(QueuePairState.ERROR, mine.state());
        assertThrows(IllegalStateException.class, mine::resume);
        assertEquals(
                pair.wire == Wire.IWARP ? QueuePairState.ERROR : QueuePairState.READY_TO_SEND,
                theirs.state(),
                "a terminate message ends the stream; no connection manager has made the RoCE connection");
    }

    @Test
    void aQueuePairThatDoesNotTakeRegistrationsRefusesThePostAndGoesOn() {
        QueuePair mine = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions));
        QueuePair theirs = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        Wires.Joined _ = Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        Region region = a.adapter.reserve(a.domain, 1);
        for (var request : List.of(
                request(region.key(), PreparedMemory.of(onePage, ALL)),
                new WorkRequest.Register(5, region.key(), SendOptions.SIGNALLED))) {
            String why = assertThrows(IllegalArgumentException.class, () -> mine.post(request))
                    .getMessage();
            assertEquals("the queue pair takes no registrations: create it with QueuePairOptions.withRegister", why);
        }
        mine.post(new WorkRequest.Write(1, a.segment(0, 8), b.remote(0)));
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses(a));
        assertEquals(QueuePairState.READY_TO_SEND, mine.state());
        assertFalse(region.isValid());
    }

    @Test
    void memoryOfAnotherOwnerThanTheDomainsIsRefused() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(8L << 20))) {
            Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(1 << 20));
            var domain = a.adapter.createProtectionDomain(guest);
            QueuePair mine = a.adapter.createQueuePair(
                    QueuePairOptions.of(domain, a.completions).withRegister(RegisterFailure.DRAIN));
            Wires.Joined _ = Wires.connect(mine, create(b, RegisterFailure.DRAIN), ConnectionOptions.DEFAULT);
            Region region = a.adapter.reserve(domain, 1);
            ManagedMemory hosts = hypervisor.host().allocate(4096);
            mine.post(request(region.key(), PreparedMemory.of(hosts, 0, 4096, 0, ALL)));
            pair.run();
            Completion refused = a.drain().getFirst();
            assertEquals(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, refused.status());
            assertEquals(Verdict.WRONG_MEMORY_DOMAIN, refused.detail());
            assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
            assertEquals(0, hosts.uses());
            hosts.close();

            mine.resume();
            ManagedMemory own = guest.allocate(4096);
            mine.post(new WorkRequest.Register(
                    6, region.key(), PreparedMemory.of(own, 0, 4096, 0, ALL), SendOptions.SIGNALLED));
            pair.run();
            assertEquals(List.of(Status.SUCCESS), statuses(a));
            region.close();
            guest.close();
        }
    }

    /** The guest ends between post and execution: its memory was held, and is gone all the same. */
    @Test
    void managedMemoryOfAGuestThatHasEndedIsRefused() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(8L << 20))) {
            Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(1 << 20));
            ManagedMemory memory = guest.allocate(4096);
            QueuePair mine = create(a, RegisterFailure.DRAIN);
            Wires.Joined _ = Wires.connect(mine, create(b, RegisterFailure.DRAIN), ConnectionOptions.DEFAULT);
            Region region = a.adapter.reserve(a.domain, 1);
            mine.post(request(region.key(), PreparedMemory.of(memory, 0, 4096, 0, ALL)));
            guest.close();
            pair.run();
            Completion refused = a.drain().getFirst();
            assertEquals(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, refused.status());
            assertEquals(Verdict.BACKING_CLOSED, refused.detail());
            assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
            assertEquals(0, memory.uses());
        }
    }
}
