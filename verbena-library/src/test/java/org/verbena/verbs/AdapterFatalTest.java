package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.link.ForwardingLink;
import org.verbena.link.PacketHandler;
import org.verbena.link.process.InProcessNetwork;

/** The consumer is told that the engine has stopped, however early. */
final class AdapterFatalTest {
    private static final class FailingLink extends ForwardingLink {
        FailingLink() {
            super(new InProcessNetwork().open());
        }

        @Override
        public int receive(PacketHandler handler, int limit) {
            throw new AssertionError("a bug");
        }
    }

    /** The first turn fails while the adapter is being opened, or soon after. */
    @Test
    void anEngineThatFailsInItsFirstTurnIsReported() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            try (Adapter adapter = Adapter.open(new FailingLink(), AdapterOptions.DEFAULT)) {
                AsyncEvent event = adapter.events().poll(Duration.ofSeconds(20));
                assertNotNull(event, "no event in round " + round);
                assertEquals(EventKind.ADAPTER_FATAL, event.kind());
                assertSame(adapter, event.source());
            }
        }
    }
}
