package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.verbena.QueuePairState.ERROR;
import static org.verbena.QueuePairState.INIT;
import static org.verbena.QueuePairState.READY_TO_RECEIVE;
import static org.verbena.QueuePairState.READY_TO_SEND;
import static org.verbena.QueuePairState.RESET;
import static org.verbena.QueuePairState.SEND_QUEUE_DRAINED;
import static org.verbena.QueuePairState.SEND_QUEUE_ERROR;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;

final class QueuePairStateTest {
    /** The specification's figure 124, a row for each state; x marks a transition a consumer may ask for. */
    private static final Map<QueuePairState, String> TABLE = Map.of(
            //                  RESET INIT RTR RTS SQD SQE ERR
            RESET, "x x . . . . x",
            INIT, "x x x . . . x",
            READY_TO_RECEIVE, "x . . x . . x",
            READY_TO_SEND, "x . . x x . x",
            SEND_QUEUE_DRAINED, "x . . x x . x",
            SEND_QUEUE_ERROR, "x . . x . . x",
            ERROR, "x . . . . . x");

    @ParameterizedTest
    @EnumSource
    void everyCellOfTheTransitionTable(QueuePairState from) {
        String row = Stream.of(QueuePairState.values())
                .map(to -> from.mayBecome(to) ? "x" : ".")
                .collect(Collectors.joining(" "));
        assertEquals(TABLE.get(from), row);
    }

    private static Set<QueuePairState> where(Predicate<QueuePairState> question) {
        return Stream.of(QueuePairState.values())
                .filter(question)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(QueuePairState.class)));
    }

    @Test
    void whatEachStateTakes() {
        assertEquals(EnumSet.complementOf(EnumSet.of(RESET)), where(QueuePairState::takesReceives));
        assertEquals(
                EnumSet.of(READY_TO_SEND, SEND_QUEUE_DRAINED, SEND_QUEUE_ERROR, ERROR),
                where(QueuePairState::takesSends));
        assertEquals(
                EnumSet.of(READY_TO_RECEIVE, READY_TO_SEND, SEND_QUEUE_DRAINED, SEND_QUEUE_ERROR),
                where(QueuePairState::answers));
    }

    @Test
    void labelsAreThoseOfRdmaTools() {
        assertEquals(
                "RESET INIT RTR RTS SQD SQE ERR",
                Stream.of(QueuePairState.values()).map(QueuePairState::label).collect(Collectors.joining(" ")));
        for (QueuePairState state : QueuePairState.values()) {
            assertEquals(state, QueuePairState.of(state.code()));
        }
    }
}
