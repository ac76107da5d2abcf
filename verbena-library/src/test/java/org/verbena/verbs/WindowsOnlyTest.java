package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;
import org.verbena.time.VirtualClock;

/** An adapter whose options allow peers windows only, over RoCEv2. */
final class WindowsOnlyTest {
    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork();
    private final Node a = node("a");
    private final Node b = node("b");

    private Node node(String name) {
        AdapterOptions options = AdapterOptions.DEFAULT
                .withName(name)
                .withRun(AdapterOptions.Run.MANUAL)
                .withSeed(7)
                .withRemoteAccess(RemoteAccess.WINDOWS_ONLY);
        return new Node(Adapter.open(network.open(), clock, options), 1 << 16, 64);
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
        a.queuePair.post(new WorkRequest.Write(3, a.segment(0, 64), b.remote(0)));
        run();
        assertEquals(Status.REMOTE_ACCESS_ERROR, a.drain().getFirst().status());
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
