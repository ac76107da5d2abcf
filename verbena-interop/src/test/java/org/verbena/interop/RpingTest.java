package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.Verbena;

/** {@code verbena rping} and rdma-core's {@code rping}, with the data compared by the client. */
@ExtendWith(KernelPeer.class)
final class RpingTest {
    private static final int COUNT = 5;

    @ParameterizedTest
    @CsvSource({"IPV4, 100, 7201, ''", "IPV4, 65535, 7202, ''", "IPV6, 5000, 7203, ''", "IPV4, 5000, 7204, --loss 5"})
    void weServe(Family family, int size, int port, String faults, PeerVm kernel) {
        String ours = "rping -s -v -a " + family.host() + " -p " + port + " -S " + size + " " + faults;
        try (Verbena verbena = Verbena.start(ours.strip())) {
            verbena.says("serving");
            Outcome asked =
                    kernel.run("rping -c -v -V -a " + family.host() + " -p " + port + " -S " + size + " -C " + COUNT);
            Outcome served = verbena.end();
            requireBoth(served, asked);
            requireEveryPing("server ping data: ", served);
            requireEveryPing("ping data: ", asked);
        }
    }

    @ParameterizedTest
    @CsvSource({"IPV4, 100, 7211, ''", "IPV4, 65535, 7212, ''", "IPV6, 5000, 7213, ''", "IPV4, 5000, 7214, --loss 5"})
    void weAsk(Family family, int size, int port, String faults, PeerVm kernel) {
        String address = kernel.address(family);
        PeerJob server = kernel.begin("rping -s -v -a " + address + " -p " + port + " -S " + size);
        server.isRunning("rping");
        String ours = "rping -c -v -V -a " + address + " -p " + port + " -S " + size + " -C " + COUNT + " " + faults;
        try (Verbena verbena = Verbena.start(ours.strip())) {
            Outcome asked = verbena.end();
            Outcome served = server.end();
            requireBoth(asked, served);
            requireEveryPing("server ping data: ", served);
            requireEveryPing("ping data: ", asked);
        }
    }

    private static void requireBoth(Outcome verbena, Outcome kernel) {
        assertTrue(verbena.status() == 0 && kernel.status() == 0, () -> verbena + "\n" + kernel);
    }

    private static void requireEveryPing(String begin, Outcome outcome) {
        IntStream.range(0, COUNT)
                .forEach(ping ->
                        assertTrue(outcome.output().contains(begin + "rdma-ping-" + ping + ": "), outcome::toString));
    }
}
