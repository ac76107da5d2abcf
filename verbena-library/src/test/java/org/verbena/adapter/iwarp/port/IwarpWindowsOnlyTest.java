package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.TerminateCode;

/** An adapter whose options allow peers windows only, over iWARP. */
final class IwarpWindowsOnlyTest {
    private final IwarpStand stand =
            new IwarpStand(options -> options, options -> options.withRemoteAccess(RemoteAccess.WINDOWS_ONLY));

    @Test
    void peersReachWindowsOnly() {
        stand.connect();
        IwarpStand.End a = stand.a;
        IwarpStand.End b = stand.b;
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_2);
        int key = MemoryKey.next(window.key());
        b.post(new WorkRequest.BindWindow(
                1, window, key, b.region, b.region.address(), 64, Set.of(Right.REMOTE_WRITE), IwarpStand.PLAIN));
        stand.run();
        b.expect(1, Operation.BIND_WINDOW, Status.SUCCESS);
        a.fill(0, 64);
        a.post(new WorkRequest.Write(
                2, Payload.of(a.at(0, 64)), new RemoteMemory(b.region.address(), key), IwarpStand.PLAIN));
        stand.run();
        a.expect(2, Operation.WRITE, Status.SUCCESS);
        assertEquals(-1, a.memory.asSlice(0, 64).mismatch(b.memory.asSlice(0, 64)));
        a.post(new WorkRequest.Write(3, Payload.of(a.at(0, 8)), b.remote(100), IwarpStand.PLAIN));
        stand.run();
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
        assertEquals(0, b.memory.get(ValueLayout.JAVA_LONG, 100 & ~7), "nothing is written");
    }

    @Test
    void theReasonIsMissingRights() {
        IwarpStand.Peer peer = stand.alone();
        peer.write(IwarpMessages.write(stand.a.region.key(), stand.a.region.address(), true, 8));
        stand.turns(peer);
        assertEquals(TerminateCode.RDMAP_ACCESS_RIGHTS, peer.reason());
    }
}
