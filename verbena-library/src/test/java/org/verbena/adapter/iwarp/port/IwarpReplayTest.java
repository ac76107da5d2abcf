package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.wire.iwarp.CapturedStream;

/** Every captured connection of siw, with an adapter of ours in the place of Linux, once on each side. */
final class IwarpReplayTest {
    /** Captures, and connections in them: one has two. */
    private static final int CAPTURES = 18;

    private static final int CONNECTIONS = 19;

    static List<CapturedConversation> conversations() {
        return CapturedConversation.all();
    }

    @Test
    void everyConnectionOfEveryCaptureIsReplayedOnBothSides() {
        assertEquals(CAPTURES, CapturedStream.captures().size());
        assertEquals(2 * CONNECTIONS, conversations().size());
        assertEquals(
                CONNECTIONS,
                conversations().stream()
                        .filter(CapturedConversation::isInitiator)
                        .count());
        assertEquals(
                CAPTURES,
                conversations().stream()
                        .map(CapturedConversation::capture)
                        .distinct()
                        .count());
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void saysWhatLinuxSaid(CapturedConversation conversation) {
        IwarpReplay replay = new IwarpReplay(conversation);
        try {
            replay.run();
        } finally {
            replay.close();
        }
    }
}
