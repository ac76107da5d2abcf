package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.interop.exercise.DatagramEnd;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.link.Endpoint;
import org.verbena.verbs.WorkRequest;

/** Datagrams to a group, with rdma-core's {@code mckey} at the other end. */
@ExtendWith(KernelPeer.class)
final class MulticastTest {
    private static final Family FAMILY = Family.IPV4;
    private static final String GROUP = "239.77.1.9";
    private static final int COUNT = 10;
    private static final String SENT = "cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts";

    /** mckey takes its queue pair away without waiting for its sends: the kernel says how many have left. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4096})
    void weReceive(int size, PeerVm kernel) {
        try (DatagramEnd end = new DatagramEnd(FAMILY.host(), COUNT)) {
            end.queuePair().join(Endpoint.of(GROUP, Endpoint.ROCE_PORT));
            Outcome sent = kernel.run("before=$(" + SENT + "); " + mckey(kernel, size)
                            + " -s || exit 1; echo sent $(($(" + SENT + ") - before))")
                    .succeeds();
            int count = Integer.parseInt(sent.output()
                    .substring(sent.output().indexOf("\nsent ") + 6)
                    .strip());
            assertTrue(count > 0, sent::toString);
            end.receive(count, size, kernel.address(FAMILY), GROUP);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096})
    void weSend(int size, PeerVm kernel) {
        try (DatagramEnd end = new DatagramEnd(FAMILY.host(), 0)) {
            PeerJob receiver =
                    kernel.begin(mckey(kernel, size)).waitsIn("mckey", "nanosleep"); // 3 s, when it has joined
            end.send(COUNT, size, Endpoint.of(GROUP, Endpoint.ROCE_PORT), WorkRequest.MULTICAST);
            Outcome received = receiver.end().succeeds();
            assertTrue(received.output().contains("data transfers complete"), received::toString);
        }
    }

    private static String mckey(PeerVm kernel, int size) {
        return "mckey -b " + kernel.address(FAMILY) + " -m " + GROUP + " -C " + COUNT + " -S " + size;
    }
}
