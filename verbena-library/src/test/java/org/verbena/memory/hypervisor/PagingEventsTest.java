package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** What Flight Recorder sees of paging. */
final class PagingEventsTest {
    @TempDir
    Path directory;

    @Test
    void faultsPageOutsAndTransfersAreRecorded() throws IOException {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(3));
        Path file = directory.resolve("paging.jfr");
        try (Recording recording = new Recording();
                Hypervisor hypervisor =
                        Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(store));
                ManagedMemory memory = hypervisor.host().allocate(1 << 20)) {
            for (String name : List.of("PageFault", "PageOut", "StoreTransfer")) {
                recording.enable("org.verbena." + name).withoutThreshold();
            }
            recording.start();
            memory.write(4096, MemorySegment.ofArray(new byte[] {1, 2, 3}));
            memory.advise(0, memory.length(), Advice.PAGE_OUT);
            store.await(() -> store.underWay() == 0);
            memory.read(4097, MemorySegment.ofArray(new byte[1]));
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        RecordedEvent fault = only(events, "org.verbena.PageFault");
        assertEquals("read", fault.getString("kind"));
        assertEquals(2, fault.getInt("stage"));
        assertEquals(1, fault.getLong("page"));
        assertTrue(fault.getBoolean("resolved"));
        assertEquals(1, only(events, "org.verbena.PageOut").getInt("evicted"));
        assertEquals(
                List.of("read", "write"),
                events.stream()
                        .filter(event -> event.getEventType().getName().equals("org.verbena.StoreTransfer"))
                        .map(event -> event.getString("kind"))
                        .sorted()
                        .toList());
    }

    private static RecordedEvent only(List<RecordedEvent> events, String name) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
        assertEquals(1, found.size(), name);
        return found.getFirst();
    }
}
