package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Touches;
import org.verbena.Wire;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.MachineMemory;

/** Keys that come and go through the send queue, windows, shared regions, managed memory: end to end. */
@OverEachWire
final class RegistrationTest {
    private final Pair pair;
    private final Node a;
    private final Node b;

    RegistrationTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private Status write(RemoteMemory target, int value) {
        a.queuePair.post(
                new WorkRequest.Write(1, Payload.inline(new byte[] {(byte) value}), target, SendOptions.SIGNALLED));
        pair.run();
        Status status = a.drain().getFirst().status();
        if (a.queuePair.state() == QueuePairState.READY_TO_SEND) {
            return status;
        }
        assertEquals(pair.refused(Status.REMOTE_ACCESS_ERROR), status);
        b.drain();
        pair.reconnect();
        return Status.REMOTE_ACCESS_ERROR;
    }

    private void done(WorkRequest.Sending request, Operation operation) {
        b.queuePair.post(request);
        pair.run();
        Completion completion = b.drain().getFirst();
        assertEquals(Status.SUCCESS, completion.status());
        assertEquals(operation, completion.operation());
    }

    private int bind(Window window, Region region, long length) {
        done(
                new WorkRequest.BindWindow(
                        3,
                        window,
                        MemoryKey.next(window.key()),
                        region,
                        region.address(),
                        length,
                        Set.of(Right.REMOTE_WRITE),
                        SendOptions.SIGNALLED),
                Operation.BIND_WINDOW);
        return window.key();
    }

    @Test
    void aReservedRegionIsOpenBetweenRegisterAndInvalidate() {
        MemorySegment memory = Arena.ofAuto().allocate(4096, 4096);
        Region region = b.adapter.reserve(b.domain, memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
        assertEquals(Status.REMOTE_ACCESS_ERROR, write(RemoteMemory.of(region), 1));
        done(new WorkRequest.Register(2, region.key(), SendOptions.SIGNALLED), Operation.REGISTER);
        assertEquals(Status.SUCCESS, write(RemoteMemory.of(region), 2));
        done(new WorkRequest.LocalInvalidate(3, region.key(), SendOptions.SIGNALLED), Operation.LOCAL_INVALIDATE);
        assertEquals(Status.REMOTE_ACCESS_ERROR, write(RemoteMemory.of(region), 3));
        assertEquals(2, memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void aRegionRegisteredByTheSendQueueServesTheVeryNextRequest() {
        MemorySegment memory = Arena.ofAuto().allocate(4096, 4096);
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 77);
        Region region = a.adapter.reserve(a.domain, memory, EnumSet.of(Right.LOCAL_WRITE));
        a.queuePair.post(new WorkRequest.Register(1, region.key(), SendOptions.UNSIGNALLED));
        a.queuePair.post(new WorkRequest.Write(2, LocalSegment.of(region, 0, 1), b.remote(0)));
        pair.run();
        assertEquals(List.of(2L), a.drain().stream().map(Completion::id).toList());
        assertEquals(77, b.memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void aWindowOfEachTypeOpensAndShuts() {
        for (Window.Type type : Window.Type.values()) {
            Window window = b.adapter.createWindow(b.domain, type);
            int key = bind(window, b.region, 16);
            RemoteMemory inside = new RemoteMemory(b.region.address() + 15, key);
            assertEquals(Status.SUCCESS, write(inside, 5));
            assertEquals(Status.REMOTE_ACCESS_ERROR, write(inside.plus(1), 5));
            if (type == Window.Type.TYPE_1) {
                bind(window, b.region, 0);
            } else {
                // The reset after the refusal took the window from its queue pair: bound once more.
                key = bind(window, b.region, 16);
                assertEquals(Status.SUCCESS, write(new RemoteMemory(b.region.address(), key), 5));
                done(new WorkRequest.LocalInvalidate(4, key, SendOptions.SIGNALLED), Operation.LOCAL_INVALIDATE);
            }
            assertEquals(Status.REMOTE_ACCESS_ERROR, write(new RemoteMemory(b.region.address(), key), 6));
        }
    }

    @Test
    void aWindowOfEachTypeForOneMessageShutsBehindIt() {
        for (Window.Type type : Window.Type.values()) {
            Window window = b.adapter.createWindow(b.domain, type);
            int key = MemoryKey.next(window.key());
            done(
                    new WorkRequest.BindWindow(
                            3,
                            window,
                            key,
                            b.region,
                            b.region.address(),
                            20_000,
                            Set.of(Right.REMOTE_WRITE),
                            Touches.ONE,
                            SendOptions.SIGNALLED),
                    Operation.BIND_WINDOW);
            RemoteMemory target = new RemoteMemory(b.region.address(), key);
            a.queuePair.post(new WorkRequest.Write(1, a.segment(0, 20_000), target));
            pair.run();
            assertEquals(Status.SUCCESS, a.drain().getFirst().status(), "of several packets");
            assertFalse(window.isBound());
            assertEquals(Status.REMOTE_ACCESS_ERROR, write(target, 6));
        }
    }

    @Test
    void aRegionRegisteredForOneMessageIsRegisteredAgain() {
        MemorySegment memory = Arena.ofAuto().allocate(4096, 4096);
        Region region = b.adapter.reserve(b.domain, memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
        for (int value = 1; value < 4; value++) {
            done(new WorkRequest.Register(2, region.key(), Touches.ONE, SendOptions.SIGNALLED), Operation.REGISTER);
            assertEquals(Status.SUCCESS, write(RemoteMemory.of(region), value));
            assertFalse(region.isValid());
            assertEquals(value, memory.get(ValueLayout.JAVA_BYTE, 0));
        }
        assertEquals(Status.REMOTE_ACCESS_ERROR, write(RemoteMemory.of(region), 9));
    }

    @Test
    void aBindThatIsNotAllowedFailsItsQueuePair() {
        Region region = b.adapter.register(
                b.domain, Arena.ofAuto().allocate(4096), EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_1);
        b.queuePair.post(new WorkRequest.BindWindow(
                3,
                window,
                MemoryKey.next(window.key()),
                region,
                region.address(),
                16,
                Set.of(Right.REMOTE_WRITE),
                SendOptions.SIGNALLED));
        pair.run();
        assertEquals(Status.MEMORY_WINDOW_BIND_ERROR, b.drain().getFirst().status());
    }

    @Test
    void anInvalidateOfAnOrdinaryRegionFailsItsQueuePair() {
        b.queuePair.post(new WorkRequest.LocalInvalidate(3, b.region.key(), SendOptions.SIGNALLED));
        pair.run();
        Completion completion = b.drain().getFirst();
        assertEquals(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, completion.status());
        assertFalse(completion.detail().granted());
        assertTrue(b.region.isValid());
    }

    @Test
    void aRegistrationThatFailsAndDrainsLeavesTheConnectionAlive() {
        QueuePair mine = a.adapter.createQueuePair(
                QueuePairOptions.of(a.domain, a.completions).withRegister(RegisterFailure.DRAIN));
        QueuePair theirs = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        Wires.Joined _ = Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        Region region = a.adapter.reserve(a.domain, Arena.ofAuto().allocate(4096), EnumSet.of(Right.LOCAL_WRITE));
        mine.post(new WorkRequest.Receive(9, a.segment(0, 16)));
        mine.post(new WorkRequest.Register(1, region.key(), SendOptions.UNSIGNALLED));
        mine.post(new WorkRequest.Read(2, a.segment(4096, 20_000), b.remote(0)));
        mine.post(new WorkRequest.Register(3, region.key(), SendOptions.SIGNALLED));
        mine.post(new WorkRequest.Write(4, a.segment(0, 8), b.remote(0)));
        pair.run();
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED),
                a.drain().stream().map(Completion::status).toList());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
        theirs.post(new WorkRequest.Send(5, b.segment(0, 8)));
        theirs.post(new WorkRequest.Read(6, b.segment(64, 8000), a.remote(4096)));
        pair.run();
        assertEquals(
                List.of(Status.SUCCESS, Status.SUCCESS),
                b.drain().stream().map(Completion::status).toList());
        assertEquals(List.of(9L), a.drain().stream().map(Completion::id).toList());
        mine.resume();
        mine.post(new WorkRequest.LocalInvalidate(6, region.key(), SendOptions.UNSIGNALLED));
        mine.post(new WorkRequest.Register(7, region.key(), SendOptions.SIGNALLED));
        mine.post(new WorkRequest.Write(8, a.segment(0, 8), b.remote(0)));
        pair.run();
        assertEquals(
                List.of(Status.SUCCESS, Status.SUCCESS),
                a.drain().stream().map(Completion::status).toList());
        assertEquals(QueuePairState.READY_TO_SEND, mine.state());
    }

    @Test
    void aSendWithInvalidateShutsTheWindowAndSaysWhich() {
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_2);
        int key = bind(window, b.region, 4096);
        b.queuePair.post(new WorkRequest.Receive(9, b.segment(0, 16)));
        a.queuePair.post(
                new WorkRequest.SendWithInvalidate(1, Payload.inline(new byte[] {1}), key, SendOptions.SIGNALLED));
        pair.run();
        assertEquals(Status.SUCCESS, a.drain().getFirst().status());
        assertEquals(Integer.valueOf(key), b.drain().getFirst().invalidatedKey());
        assertEquals(Status.REMOTE_ACCESS_ERROR, write(new RemoteMemory(b.region.address(), key), 6));
    }

    @Test
    void aSharedRegionHasItsOwnKeyAndRights() {
        Region reading = b.adapter.share(b.region, b.domain, EnumSet.of(Right.REMOTE_READ));
        b.memory.set(ValueLayout.JAVA_BYTE, 5, (byte) 55);
        a.queuePair.post(new WorkRequest.Read(
                1, a.segment(0, 1), RemoteMemory.of(reading).plus(5)));
        pair.run();
        assertEquals(Status.SUCCESS, a.drain().getFirst().status());
        assertEquals(55, a.memory.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(Status.REMOTE_ACCESS_ERROR, write(RemoteMemory.of(reading), 1));
        b.region.close();
        a.queuePair.post(new WorkRequest.Read(
                2, a.segment(1, 1), RemoteMemory.of(reading).plus(5)));
        pair.run();
        assertEquals(Status.SUCCESS, a.drain().getFirst().status());
    }

    @Test
    void managedMemoryIsSourceAndTarget() {
        try (var machine = new MachineMemory(4 << 20)) {
            ManagedMemory source = machine.allocate(300_000);
            ManagedMemory target = machine.allocate(300_000);
            byte[] data = Exchange.pattern(300_000, 9);
            source.write(0, MemorySegment.ofArray(data));
            Region from = a.adapter.register(a.domain, source, 0, EnumSet.allOf(Right.class));
            Region to = b.adapter.register(b.domain, target, 0x1000, EnumSet.allOf(Right.class));
            a.queuePair.post(
                    new WorkRequest.Write(1, LocalSegment.of(from, 0, 300_000), new RemoteMemory(0x1000, to.key())));
            a.queuePair.post(new WorkRequest.Read(2, a.segment(0, 300_000), new RemoteMemory(0x1000, to.key())));
            b.queuePair.post(new WorkRequest.Receive(4, LocalSegment.of(to, 100, 5000)));
            a.queuePair.post(new WorkRequest.Send(
                    3, Payload.of(LocalSegment.of(from, 7, 5000)), SendOptions.SIGNALLED.withFence()));
            pair.run();
            assertEquals(
                    List.of(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS),
                    a.drain().stream().map(Completion::status).toList());
            assertEquals(-1, a.memory.asSlice(0, 300_000).mismatch(MemorySegment.ofArray(data)));
            byte[] landed = new byte[5000];
            target.read(100, MemorySegment.ofArray(landed));
            assertEquals(
                    -1,
                    MemorySegment.ofArray(landed)
                            .mismatch(MemorySegment.ofArray(data).asSlice(7, 5000)));
            from.close();
            to.close();
            source.close();
            target.close();
        }
    }
}
