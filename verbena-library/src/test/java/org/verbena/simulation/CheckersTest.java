package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.time.Seed;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Who watches the watchers: each fault that a checker is for, done on purpose, is found. */
final class CheckersTest {
    private static final int PACKETS = 2_000;

    private final Simulation simulation = withoutMachines();
    private final Lane lane = simulation.lanes().getFirst();

    /** The first run whose memory is all the consumer's own: that can be changed behind everybody's back. */
    private static Simulation withoutMachines() {
        for (long seed = 1; ; seed++) {
            Simulation candidate = new Simulation(Scenario.named("calm"), new Seed(seed));
            if (candidate.world().nodes().stream().allMatch(node -> node.framesUsed() == 0)) {
                return candidate;
            }
            candidate.close();
        }
    }

    @AfterEach
    void close() {
        simulation.close();
    }

    private static void flip(MemorySegment oneByte) {
        oneByte.set(ValueLayout.JAVA_BYTE, 0, (byte) ~oneByte.get(ValueLayout.JAVA_BYTE, 0));
    }

    private void requireFound(String words) {
        AssertionError found = assertThrows(AssertionError.class, () -> {
            simulation.round(PACKETS);
            simulation.finish();
        });
        assertTrue(String.valueOf(found.getMessage()).contains(words), found::getMessage);
    }

    @Test
    void nothingIsFoundWhereNothingIsWrong() {
        simulation.round(PACKETS);
        simulation.finish();
    }

    @Test
    void aByteThatChangesWhereNobodyMayIsFound() {
        simulation.round(PACKETS);
        flip(lane.forbidden().view(lane.forbidden().length() - 1, 1));
        requireFound("is not what the model says");
    }

    @Test
    void aByteThatChangesBesideATargetIsFound() {
        flip(lane.target().view(lane.target().length(), 1));
        requireFound("is not what the model says from offset " + lane.target().length());
    }

    @Test
    void aByteThatChangesBeforeATargetIsFound() {
        flip(lane.target().view(-1, 1));
        requireFound("is not what the model says from offset -1");
    }

    @Test
    void anAdditionTooManyIsFound() {
        simulation.round(PACKETS);
        for (Lane each : simulation.lanes()) {
            for (long cell :
                    LongStream.range(0, each.sharedCells().length() / 8).toArray()) {
                MemorySegment word = each.sharedCells().view(cell * 8, 8);
                word.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, word.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) + 1);
            }
        }
        assertThrows(AssertionError.class, () -> simulation.round(PACKETS * 5));
    }

    @Test
    void aCompletionForWhatWasNotPostedIsFound() {
        lane.queuePair()
                .post(new WorkRequest.Write(
                        999, lane.source().local(0, 0), lane.target().remote(0)));
        requireFound("completed ");
    }

    @Test
    void aRequestThatNeverCompletesIsFound() {
        lane.outstanding.add(new Intent.Read(lane, 999, true, false, Pieces.one(0, 0), 0));
        requireFound("completed out of order");
    }

    @Test
    void aMessageThatNobodySentIsFound() {
        simulation.round(PACKETS);
        lane.queuePair().post(new WorkRequest.Send(999, Payload.inline(new byte[1]), SendOptions.UNSIGNALLED));
        requireFound("expected the receive of");
    }

    @Test
    void aRegionThatIsNeverClosedIsFound() {
        Node node = simulation.world().nodes().getFirst();
        node.adapter().register(node.domain(), lane.target().view(0, 8), EnumSet.noneOf(Right.class));
        requireFound("left 1 regions or windows");
    }

    @Test
    void aFrameThatIsNeverGivenBackIsFound() {
        Node node = simulation.world().nodes().getFirst();
        node.useManagedMemory();
        ManagedMemory lost = node.allocate(1);
        requireFound("lost 1 frames");
        lost.close();
    }
}
