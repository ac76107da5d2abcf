package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.exercise.ExerciseClient;
import org.verbena.interop.exercise.ExerciseEnd;
import org.verbena.interop.exercise.ExerciseServer;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.SiwPeer;
import org.verbena.interop.peer.SiwTerms;
import org.verbena.verbs.IwarpOptions;

/**
 * The loads of {@link LoadTest} and {@link OvercommitTest} over iWARP, with and without check sums. Every byte of each message is compared.
 * {@code -Dverbena.interop.messages=100000} sends that many each way.
 */
@ExtendWith(SiwPeer.class)
final class SiwLoadTest {
    private static final Family FAMILY = Family.IPV4;
    private static final int MESSAGES = Integer.getInteger("verbena.interop.messages", 20_000);
    private static final int REQUESTS = MESSAGES / 10;
    private static final int SWAPPED = MESSAGES / 20;
    private static final Duration LIMIT = Duration.ofSeconds(600 + MESSAGES / 20);

    @ParameterizedTest
    @CsvSource({
        "sends, 64, true",
        "sends, 64, false",
        "sends, 4000, true",
        "writes, 200, true",
        "writes, 4096, false",
        "reads, 200, false",
        "reads, 4096, true"
    })
    void weAsk(String scenario, int size, boolean crc, PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), IwarpOptions.DEFAULT.withCrc(crc))) {
            ask(end, scenario, count(scenario, size), size, kernel);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sends, 64, true",
        "sends, 64, false",
        "sends, 4000, false",
        "writes, 200, false",
        "writes, 4096, true",
        "reads, 200, true",
        "reads, 4096, false"
    })
    void weServe(String scenario, int size, boolean crc, PeerVm kernel) throws InterruptedException {
        SiwTerms.DEFAULT.withCrc(crc).applyTo(kernel);
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), IwarpOptions.DEFAULT.withCrc(crc))) {
            serve(end, scenario, count(scenario, size), size, kernel);
        }
    }

    @Test
    void receivesMayComeFromASharedQueue(PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.sharingReceivesIwarpAt(FAMILY.host(), IwarpOptions.DEFAULT)) {
            serve(end, "sends", REQUESTS, 200, kernel);
        }
    }

    @ParameterizedTest
    @CsvSource({"sends, 3000", "writes, 200", "writes, 4096", "reads, 4096"})
    void theKernelAsksForWhatIsSwappedOut(String scenario, int size, PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.overcommittedIwarpAt(FAMILY.host(), IwarpOptions.DEFAULT)) {
            serve(end, scenario, SWAPPED, size, kernel);
            assertTrue(end.pageFaults() + end.overwrites() > 0, "nothing was swapped out");
        }
    }

    @ParameterizedTest
    @CsvSource({"sends, 3000", "writes, 4096", "reads, 4096"})
    void weAskFromWhatIsSwappedOut(String scenario, int size, PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.overcommittedIwarpAt(FAMILY.host(), IwarpOptions.DEFAULT)) {
            ask(end, scenario, SWAPPED, size, kernel);
            assertTrue(end.pageFaults() > 0, "nothing was swapped out");
        }
    }

    private static int count(String scenario, int size) {
        return scenario.equals("sends") && size < 1000 ? MESSAGES : REQUESTS;
    }

    private static void ask(ExerciseEnd end, String scenario, int count, int size, PeerVm kernel)
            throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, scenario, "-w -n " + count + " -s " + size, LIMIT);
        try (ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            asked.hasAccepted();
            client.load(scenario, count, size);
        }
        asked.server().end().succeeds();
    }

    private static void serve(ExerciseEnd end, String scenario, int count, int size, PeerVm kernel)
            throws InterruptedException {
        try (ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), scenario, count, size)) {
            PeerJob client = kernel.begin(
                    LIMIT,
                    "vx -c " + FAMILY.host() + " " + scenario + " -w -p " + server.port() + " -n " + count + " -s "
                            + size);
            server.serve(client);
        }
    }
}
