package org.verbena.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.memory.MemoryKey;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * A live engine under packets of a peer that knows everything and wants the worst: no exception leaves the engine, no byte
 * outside granted memory changes or leaves, every turn ends, and a connection that is not the attacker's still works.
 */
final class EngineFuzzTest {
    private static final int COMMANDS_MAX = 300;

    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @FuzzTest
    void noPacketHarmsAnEngine(byte[] input) {
        Script script = new Script(input);
        try (Siege siege = new Siege()) {
            for (int i = 0; i < COMMANDS_MAX && script.hasMore(); i++) {
                command(siege, script);
            }
            siege.assertHarmless();
        }
    }

    private static void command(Siege siege, Script script) {
        int command = script.unsignedByte();
        switch (command & 0xf) {
            case 0 -> siege.forger.sendRaw(script.bytes(255), siege.innocentNumber());
            case 1, 2, 3, 4, 5 -> siege.forger.send(script, siege.attacked.number());
            case 6 -> siege.outworks.command(script, command >>> 4);
            case 7, 8 -> siege.post(request(siege, script, command >>> 4));
            case 9 -> siege.post(receive(siege, script, command));
            case 10 -> siege.postAtPeer(peerRequest(siege, script, command));
            case 11, 12 -> siege.step((long) (command >>> 4) << script.below(24));
            case 13 -> turns(siege, command >>> 4);
            case 14 -> siege.poll();
            default -> changeState(siege, command >>> 4);
        }
    }

    private static void turns(Siege siege, int count) {
        for (int turn = 0; turn < count; turn++) {
            siege.step(1000);
        }
    }

    private static void changeState(Siege siege, int which) {
        QueuePairState state = siege.attacked.state();
        switch (which) {
            case 0 -> siege.attacked.abort();
            case 1 -> siege.reconnect();
            case 2 -> {
                if (state == QueuePairState.READY_TO_SEND) {
                    siege.attacked.drain();
                }
            }
            case 3 -> {
                if (state == QueuePairState.SEND_QUEUE_DRAINED) {
                    siege.attacked.resume();
                }
            }
            default -> siege.step(1000);
        }
    }

    /** A request of the victim's consumer; most of them are sensible. */
    private static WorkRequest.Sending request(Siege siege, Script script, int which) {
        SendOptions options = new SendOptions((which & 8) == 0, (which & 12) == 12, false);
        RemoteMemory remote = siege.peerMemory(script.unsignedByte() * 64L);
        return switch (which & 7) {
            case 0 -> new WorkRequest.Send(1, Payload.of(local(siege, script)), options);
            case 1 -> new WorkRequest.Write(2, Payload.inline(script.bytes(64)), remote, options);
            case 2 -> new WorkRequest.WriteWithImmediate(3, Payload.of(local(siege, script)), remote, 7, options);
            case 3 -> new WorkRequest.Read(4, List.of(local(siege, script)), remote, options);
            case 4 -> new WorkRequest.FetchAdd(5, LocalSegment.of(siege.estate.local, 8, 8), remote, 1, options);
            case 5 -> new WorkRequest.CompareSwap(6, LocalSegment.of(siege.estate.local, 16, 8), remote, 0, 1, options);
            case 6 ->
                new WorkRequest.BindWindow(
                        7,
                        siege.window,
                        MemoryKey.next(siege.window.key()),
                        siege.estate.granted,
                        siege.estate.granted.address() + script.unsignedByte(),
                        script.unsignedShort(),
                        EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE),
                        options);
            default -> new WorkRequest.LocalInvalidate(8, siege.window.key(), options);
        };
    }

    private static LocalSegment local(Siege siege, Script script) {
        int choice = script.unsignedByte();
        long length = choice % 8 == 7 ? script.unsignedShort() : (choice % 8) * 200L;
        int key = choice < 250 ? siege.estate.local.key() : siege.estate.key(script);
        return new LocalSegment(siege.estate.local.address() + choice * 8L, length, key);
    }

    private static WorkRequest.Receive receive(Siege siege, Script script, int command) {
        return (command & 0x10) == 0
                ? new WorkRequest.Receive(9, local(siege, script))
                : new WorkRequest.Receive(10, local(siege, script), local(siege, script));
    }

    /** What the honest peer does meanwhile, within its rights. */
    private static WorkRequest.Sending peerRequest(Siege siege, Script script, int command) {
        RemoteMemory remote = RemoteMemory.of(siege.estate.granted).plus(script.unsignedByte() * 8L);
        LocalSegment here = siege.peerSegment(0, script.unsignedByte() * 8L);
        return switch (command >>> 4 & 3) {
            case 0 -> new WorkRequest.Send(1, here);
            case 1 -> new WorkRequest.Write(2, here, remote);
            case 2 -> new WorkRequest.Read(3, here, remote);
            default ->
                new WorkRequest.FetchAdd(
                        4, siege.peerSegment(0, 8), remote, script.signedByte(), SendOptions.SIGNALLED);
        };
    }
}
