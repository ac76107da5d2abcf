package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.link.process.InProcessNetwork;

final class FlightRecorderTest {
    @TempDir
    private Path directory;

    @Test
    void statesOfAQueuePairAreRecorded() throws IOException {
        Path file = directory.resolve("states.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.verbena.QueuePairState");
            recording.start();
            connectAndAbort();
            recording.stop();
            recording.dump(file);
        }
        List<String> states = RecordingFile.readAllEvents(file).stream()
                .map(event -> event.getString("from") + " " + event.getString("to"))
                .toList();
        assertEquals(List.of("RESET INIT", "INIT RTR", "RTR RTS", "RTS ERR", "ERR RESET"), states);
    }

    private static void connectAndAbort() {
        AdapterOptions manual = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL);
        try (Adapter adapter = Adapter.open(new InProcessNetwork().open(), manual)) {
            Node node = new Node(adapter, 4096);
            node.queuePair.connect(node.queuePair.address(), ConnectionOptions.DEFAULT);
            node.queuePair.abort();
        }
    }
}
