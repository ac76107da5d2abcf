package org.verbena.interop;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.exercise.ExerciseClient;
import org.verbena.interop.exercise.ExerciseEnd;
import org.verbena.interop.exercise.ExerciseServer;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;

/**
 * Many messages, 32 of them under way, every byte of each compared, as {@code ib_send_bw}, {@code ib_write_bw}, {@code
 * ib_read_bw} and {@code ib_atomic_bw} do, with the kernel's {@code vx} at the other end. {@code
 * -Dverbena.interop.messages=100000} sends that many each way.
 */
@ExtendWith(KernelPeer.class)
final class LoadTest {
    private static final Family FAMILY = Family.IPV4;
    private static final int MESSAGES = Integer.getInteger("verbena.interop.messages", 20_000);
    private static final int REQUESTS = MESSAGES / 10;
    private static final Duration LIMIT = Duration.ofSeconds(60 + MESSAGES / 100);

    @ParameterizedTest
    @CsvSource({"sends, 64", "sends, 4000", "writes, 200", "writes, 4096", "reads, 200", "reads, 4096", "adds, 8"})
    void weAsk(String scenario, int size, PeerVm kernel) throws InterruptedException {
        int count = count(scenario, size);
        Asked asked = Asked.begin(kernel, FAMILY, scenario, "-n " + count + " -s " + size, LIMIT);
        try (ExerciseEnd end = ExerciseEnd.at(FAMILY.host());
                ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            client.load(scenario, count, size);
        }
        asked.server().end().succeeds();
    }

    @ParameterizedTest
    @CsvSource({"sends, 64", "sends, 4000", "writes, 200", "writes, 4096", "reads, 200", "reads, 4096", "adds, 8"})
    void weServe(String scenario, int size, PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.at(FAMILY.host())) {
            serve(end, scenario, count(scenario, size), size, kernel);
        }
    }

    private static int count(String scenario, int size) {
        return scenario.equals("sends") && size < 1000 ? MESSAGES : REQUESTS;
    }

    private static void serve(ExerciseEnd end, String scenario, int count, int size, PeerVm kernel)
            throws InterruptedException {
        try (ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), scenario, count, size)) {
            PeerJob client = kernel.begin(
                    LIMIT,
                    "vx -c " + FAMILY.host() + " " + scenario + " -p " + server.port() + " -n " + count + " -s "
                            + size);
            server.serve(client);
        }
    }

    @Test
    void receivesMayComeFromASharedQueue(PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.sharingReceivesAt(FAMILY.host())) {
            serve(end, "sends", REQUESTS, 200, kernel);
        }
    }

    @ParameterizedTest
    @CsvSource({"sends, 3000", "writes, 4096", "reads, 4096", "adds, 8"})
    void fivePercentLossInBothDirectionsIsRepairedWhenWeAsk(String scenario, int size, PeerVm kernel)
            throws InterruptedException {
        int count = REQUESTS / 2;
        Asked asked = Asked.begin(kernel, FAMILY, scenario, "-n " + count + " -s " + size, LIMIT);
        try (ExerciseEnd end = ExerciseEnd.lossyAt(FAMILY.host(), 0.05);
                ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            client.load(scenario, count, size);
        }
        asked.server().end().succeeds();
    }

    @ParameterizedTest
    @CsvSource({"sends, 3000", "writes, 4096", "reads, 4096", "adds, 8"})
    void fivePercentLossInBothDirectionsIsRepairedWhenWeServe(String scenario, int size, PeerVm kernel)
            throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.lossyAt(FAMILY.host(), 0.05)) {
            serve(end, scenario, REQUESTS / 2, size, kernel);
        }
    }
}
