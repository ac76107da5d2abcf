package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.exercise.ExerciseClient;
import org.verbena.interop.exercise.ExerciseEnd;
import org.verbena.interop.exercise.ExerciseServer;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.trace.Counter;

/**
 * A Linux kernel, which knows nothing of page faults at its peer, sends, writes, reads and adds into memory that is swapped out
 * again and again under its registration, in both roles. Every byte is compared, as in {@link LoadTest}.
 */
@ExtendWith(KernelPeer.class)
final class OvercommitTest {
    private static final Family FAMILY = Family.IPV4;
    private static final int COUNT = Integer.getInteger("verbena.interop.messages", 20_000) / 20;
    private static final Duration LIMIT = Duration.ofSeconds(600 + COUNT / 20);
    /** The kernel's local ACK timeout: 4.096 µs × 2²², 17 s. A machine under load does not keep it waiting for so long. */
    private static final String PATIENT = " -t 22";

    /**
     * Writes of whole pages need no contents that were swapped out, the other operations do. The kernel's own counters show why it
     * sent again: because of an RNR NAK, never because an answer did not come in time. Our sequence NAKs are the only other reason;
     * the kernel does not count each of them.
     */
    @ParameterizedTest
    @CsvSource({"sends, 3000, true", "writes, 200, true", "writes, 4096, false", "reads, 4096, false", "adds, 8, true"})
    void theKernelAsksForWhatIsSwappedOut(String scenario, int size, boolean isRefused, PeerVm kernel)
            throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.overcommittedAt(FAMILY.host())) {
            long refusals = kernelCounted(kernel, "rcvd_rnr_err");
            long retries = kernelCounted(kernel, "completer_retry_err");
            serve(end, scenario, size, kernel, PATIENT);
            assertTrue(end.pageFaults() + end.overwrites() > 0, "nothing was swapped out");
            refusals = kernelCounted(kernel, "rcvd_rnr_err") - refusals;
            assertTrue(refusals > 0 || !isRefused, "the kernel has seen no RNR NAK");
            retries = kernelCounted(kernel, "completer_retry_err") - retries;
            long told = end.counted(Counter.SENT_SEQUENCE_NAKS);
            assertTrue(
                    retries <= told, "the kernel waited in vain: " + retries + " retries, told of " + told + " losses");
        }
    }

    /** A counter of the kernel's device, for all its queue pairs. */
    private static long kernelCounted(PeerVm kernel, String counter) {
        Outcome read = kernel.run("cat /sys/class/infiniband/rxe0/ports/1/hw_counters/" + counter)
                .succeeds();
        return Long.parseLong(read.output().strip());
    }

    @ParameterizedTest
    @CsvSource({"sends, 3000", "writes, 4096", "reads, 4096", "adds, 8"})
    void weAskFromWhatIsSwappedOut(String scenario, int size, PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, scenario, "-n " + COUNT + " -s " + size, LIMIT);
        try (ExerciseEnd end = ExerciseEnd.overcommittedAt(FAMILY.host());
                ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            client.load(scenario, COUNT, size);
            assertTrue(end.pageFaults() > 0, "nothing was swapped out");
            assertEquals(0, end.counted(Counter.RESUMED_BY_ACK_TIMEOUT));
        }
        asked.server().end().succeeds();
    }

    @ParameterizedTest
    @CsvSource({"sends, 3000", "writes, 200", "reads, 4096", "adds, 8"})
    void packetsAreLostAsWell(String scenario, int size, PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.overcommittedLossyAt(FAMILY.host(), 0.03)) {
            serve(end, scenario, size, kernel, "");
            assertTrue(end.pageFaults() > 0, "nothing was swapped out");
        }
    }

    private static void serve(ExerciseEnd end, String scenario, int size, PeerVm kernel, String options)
            throws InterruptedException {
        try (ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), scenario, COUNT, size)) {
            PeerJob client = kernel.begin(
                    LIMIT,
                    "vx -c " + FAMILY.host() + " " + scenario + " -p " + server.port() + " -n " + COUNT + " -s " + size
                            + options);
            server.serve(client);
        }
    }
}
