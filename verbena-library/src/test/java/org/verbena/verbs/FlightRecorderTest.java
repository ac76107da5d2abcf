package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.time.VirtualClock;

@OverEachWire
final class FlightRecorderTest {
    @TempDir
    private Path directory;

    private final Wire wire;

    FlightRecorderTest(Wire wire) {
        this.wire = wire;
    }

    @Test
    void statesOfAQueuePairAreRecorded() throws IOException {
        Path file = directory.resolve("states.jfr");
        int number;
        try (Recording recording = new Recording()) {
            recording.enable("org.verbena.QueuePairState");
            recording.start();
            number = connectAndAbort();
            recording.stop();
            recording.dump(file);
        }
        List<String> states = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getInt("queuePair") == number)
                .map(event -> event.getString("from") + " " + event.getString("to"))
                .toList();
        assertEquals(List.of("RESET INIT", "INIT RTR", "RTR RTS", "RTS ERR", "ERR RESET"), states);
    }

    /** Number of a queue pair that was connected with another of its adapter, and aborted. */
    private int connectAndAbort() {
        AdapterOptions manual = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL);
        try (Adapter adapter = new Wires(wire).open(new VirtualClock(0), manual)) {
            Node node = new Node(adapter, 4096);
            Node.connect(node, new Node(adapter, 4096), ConnectionOptions.DEFAULT);
            node.queuePair.abort();
            return node.queuePair.number();
        }
    }
}
