package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.Verbena;

/**
 * One kind of ping-pong between {@code verbena pingpong} and the kernel's {@code ibv_*_pingpong}.
 *
 * @param service rc, uc or ud
 * @param options for both ends
 */
record Pingpong(String service, Family family, String options) {
    private static final AtomicInteger PORTS = new AtomicInteger(20_000);

    /** The kernel's programs serve on IPv4 alone; the packets are of the family. */
    void weAsk(PeerVm kernel, String ours) {
        int port = PORTS.incrementAndGet();
        PeerJob server = kernel.begin(theirs(port)).listensAt(port);
        String client = ours(port) + " " + ours + " " + kernel.address(Family.IPV4);
        try (Verbena verbena = Verbena.start(client.strip())) {
            Outcome ended = verbena.end();
            Outcome served = server.end();
            require(ended, served);
        }
    }

    void weServe(PeerVm kernel, String ours) {
        int port = PORTS.incrementAndGet();
        try (Verbena verbena = Verbena.start((ours(port) + " " + ours).strip())) {
            verbena.says("serving");
            Outcome asked = kernel.run(theirs(port) + " " + family.host());
            require(verbena.end(), asked);
        }
    }

    private String ours(int port) {
        return "pingpong " + service + " -e -c -r 50 -a " + family.host() + " -p " + port + " " + options;
    }

    /** One CPU, emulated: a program that polls would starve the kernel it waits for. */
    private String theirs(int port) {
        return "ibv_" + service + "_pingpong -e -c -r 50 -d rxe0 -g " + family.gidIndex() + " -p " + port + " "
                + options;
    }

    private static void require(Outcome verbena, Outcome kernel) {
        if (verbena.status() != 0 || kernel.status() != 0) {
            throw new AssertionError(verbena + "\n" + kernel);
        }
        // It says so and exits with 0 nevertheless.
        assertFalse(kernel.output().contains("invalid data"), kernel::toString);
    }
}
