package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.interop.exercise.ExerciseClient;
import org.verbena.interop.exercise.ExerciseEnd;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerVm;

/** A machine that stops in the middle of it all. */
@ExtendWith(KernelPeer.class)
final class SilenceTest {
    @Test
    void whoAsksAStoppedMachineIsToldThatItDoesNotAnswer(PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, Family.IPV4, "writes", "-n 1000000", Duration.ofSeconds(60));
        try (ExerciseEnd end = ExerciseEnd.at(Family.IPV4.host());
                ExerciseClient client = new ExerciseClient(end, asked.address(), "writes")) {
            client.writeUntil(100, kernel::freeze);
            end.ends(Status.FLUSHED);
            assertEquals(QueuePairState.ERROR, end.queuePair().state());
        } finally {
            kernel.thaw();
            kernel.run("killall vx");
        }
        asked.server().end();
    }
}
