package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;
import org.verbena.time.VirtualClock;

/** An adapter whose options allow peers windows only. */
@OverEachWire
final class WindowsOnlyTest {
    private final VirtualClock clock = new VirtualClock(0);
    private final Wire wire;
    private final Wires wires;
    private final Node a;
    private final Node b;

    WindowsOnlyTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
        a = node("a");
        b = node("b");
    }

    private Node node(String name) {
        AdapterOptions options = AdapterOptions.DEFAULT
                .withName(name)
                .withRun(AdapterOptions.Run.MANUAL)
                .withSeed(7)
                .withRemoteAccess(RemoteAccess.WINDOWS_ONLY);
        return new Node(wires.open(clock, options), 1 << 16, 64);
    }

    @AfterEach
    void close() {
        a.adapter.close();
        b.adapter.close();
    }

    private void run() {
        for (int i = 0; i < 50; i++) {
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
        }
    }

    @Test
    void peersReachWindowsOnly() {
        Node.connect(a, b, ConnectionOptions.DEFAULT);
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_1);
        int key = MemoryKey.next(window.key());
        b.queuePair.post(new WorkRequest.BindWindow(
                1, window, key, b.region, b.region.address(), 64, Set.of(Right.REMOTE_WRITE), SendOptions.UNSIGNALLED));
        run();
        a.queuePair.post(new WorkRequest.Write(2, a.segment(0, 64), new RemoteMemory(b.region.address(), key)));
        run();
        assertEquals(Status.SUCCESS, a.drain().getFirst().status());
        a.memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        a.queuePair.post(new WorkRequest.Write(3, a.segment(0, 64), b.remote(0)));
        run();
        assertEquals(
                wire == Wire.IWARP ? Status.SUCCESS : Status.REMOTE_ACCESS_ERROR,
                a.drain().getFirst().status());
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(0, b.memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void aDomainCannotAllowMoreThanItsAdapter() {
        assertEquals(RemoteAccess.WINDOWS_ONLY, a.adapter.defaultDomain().remoteAccess());
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> a.adapter.createProtectionDomain(RemoteAccess.REGIONS_AND_WINDOWS));
        assertEquals(
                "REGIONS_AND_WINDOWS found, WINDOWS_ONLY expected: the options of the adapter allow no more",
                refused.getMessage());
    }
}
