package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.SiwPeer;
import org.verbena.interop.peer.SiwTerms;
import org.verbena.interop.peer.Verbena;

/** {@code verbena rping --iwarp} and rdma-core's {@code rping} on siw, with the data compared by the client. */
@ExtendWith(SiwPeer.class)
final class SiwRpingTest {
    private static final int COUNT = 5;

    @ParameterizedTest
    @CsvSource({
        "IPV4, 100, 7421, 2, true",
        "IPV4, 65535, 7422, 2, false",
        "IPV4, 5000, 7423, 1, true",
        "IPV6, 5000, 7424, 2, true"
    })
    void weServe(Family family, int size, int port, int revision, boolean crc, PeerVm kernel) {
        SiwTerms.DEFAULT.withRevision(revision).withCrc(crc).applyTo(kernel);
        String ours = "rping -s -v --iwarp -a " + family.host() + " -p " + port + " -S " + size + flag(crc);
        try (Verbena verbena = Verbena.start(ours)) {
            verbena.says("serving");
            Outcome asked =
                    kernel.run("rping -c -v -V -a " + family.host() + " -p " + port + " -S " + size + " -C " + COUNT);
            require(verbena.end(), asked, asked);
        }
    }

    /**
     * siw does not notice bytes that arrive between its reply and the end of its call, until others follow. So the reply leaves the VM some time after
     * the call. With revision 1 rdma_cm allows rping's server no reads, which it needs.
     */
    @ParameterizedTest
    @CsvSource({"IPV4, 100, 7431, true", "IPV4, 65535, 7432, false", "IPV6, 5000, 7434, true"})
    void weAsk(Family family, int size, int port, boolean crc, PeerVm kernel) {
        String address = kernel.address(family);
        kernel.run("tc qdisc add dev eth0 root netem delay 100ms").succeeds();
        try {
            PeerJob server = kernel.begin("rping -s -v -a " + address + " -p " + port + " -S " + size)
                    .isRunning("rping");
            String ours =
                    "rping -c -v -V --iwarp -a " + address + " -p " + port + " -S " + size + " -C " + COUNT + flag(crc);
            try (Verbena verbena = Verbena.start(ours)) {
                Outcome asked = verbena.end();
                require(asked, server.end(), asked);
            }
        } finally {
            kernel.run("tc qdisc del dev eth0 root").succeeds();
        }
    }

    private static String flag(boolean crc) {
        return crc ? "" : " --no-crc";
    }

    private static void require(Outcome verbena, Outcome kernel, Outcome client) {
        assertTrue(verbena.status() == 0 && kernel.status() == 0, () -> verbena + "\n" + kernel);
        Outcome server = client.equals(verbena) ? kernel : verbena;
        IntStream.range(0, COUNT).forEach(ping -> {
            assertTrue(server.output().contains("server ping data: rdma-ping-" + ping + ": "), server::toString);
            assertTrue(client.output().contains("ping data: rdma-ping-" + ping + ": "), client::toString);
        });
    }
}
