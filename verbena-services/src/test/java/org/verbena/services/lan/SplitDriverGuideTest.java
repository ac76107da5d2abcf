package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.verbena.link.frame.FrameCable;
import org.verbena.verbs.Adapter;

/** The Java in the guide to the split driver runs, and is the Java here. */
final class SplitDriverGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "split-driver.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "org", "verbena", "services", "lan", "SplitDriverGuideTest.java");

    @Test
    void aFrameOfAProgramReachesTheLan() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocate(64);
            byte[] bytes = LanStand.frame(0x0011_2233_4455L, 0x0200_0000_0001L, 1, 60);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, frame, 0, 60);
            // The guide begins
            InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (FrameCable lan = FrameCable.open();
                    FrameCable os = FrameCable.open();
                    Adapter there = Adapter.open(loopback);
                    Adapter here = Adapter.open(loopback);
                    UnitDriver unit = UnitDriver.open(there, lan.left(), UnitOptions.at(loopback));
                    HostDriver host = HostDriver.open(
                            here,
                            os.left(),
                            unit.address(),
                            there.endpoint().port(),
                            HostOptions.DEFAULT.withAddress(MacAddress.of("02:00:00:00:00:01")))) {
                unit.start();
                host.start();
                while (!os.right().isUp()) { // the carrier of the program's interface
                    Thread.onSpinWait();
                }
                os.right().send(frame, 0, 60);
                int length = 0;
                while (length == 0) {
                    length = lan.right().receive(frame, 0, 64);
                }
                System.out.println("the LAN has a frame of " + length + " bytes from " + host.address());
                // The guide ends
                assertEquals(60, length);
                assertEquals(1, host.counters().value(LanCounter.TX_PACKETS));
            }
        }
    }

    @Test
    void theGuideShowsThisCode() throws IOException {
        assumeTrue(Files.exists(GUIDE), "no guide beside the module: not in a checkout");
        String code = Files.readString(HERE);
        String begin = "// The guide begins\n";
        String shown = code.substring(
                        code.indexOf(begin) + begin.length(), code.indexOf("                // The guide ends"))
                .stripTrailing()
                .stripIndent();
        assertTrue(Files.readString(GUIDE).contains(shown), "the guide does not show:\n" + shown);
    }
}
