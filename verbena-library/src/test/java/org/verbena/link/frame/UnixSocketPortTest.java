package org.verbena.link.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;
import org.verbena.link.linux.LinuxStructs;

/** Frames over datagram sockets of Unix. */
@EnabledOnOs(OS.LINUX)
final class UnixSocketPortTest extends FramePortContractTest {
    @TempDir
    private Path directory;

    private Path left() {
        return directory.resolve("left");
    }

    private Path right() {
        return directory.resolve("right");
    }

    @Override
    FramePair open() {
        return new FramePair(SocketPort.unix(left(), right()), SocketPort.unix(right(), left()));
    }

    @Test
    void thePathIsGoneWhenThePortIsClosed() {
        Path path = directory.resolve("own");
        FramePort port = SocketPort.unix(path, right());
        assertTrue(Files.exists(path));
        port.close();
        assertFalse(Files.exists(path));
    }

    @Test
    void aSocketThatADeadProcessLeftIsReplaced() {
        Path path = directory.resolve("stale");
        Libc libc = new Libc();
        int descriptor = libc.socket(LinuxStructs.AF_UNIX, LinuxStructs.SOCK_DGRAM, 0);
        new UnixPath(path).bind(libc, descriptor);
        assertInUse(path);
        libc.close(descriptor);
        assertTrue(Files.exists(path), "left behind");
        SocketPort.unix(path, right()).close();
        assertFalse(Files.exists(path));
    }

    private void assertInUse(Path path) {
        String message = assertThrows(LinkException.class, () -> SocketPort.unix(path, right()))
                .getMessage();
        assertNotNull(message);
        assertTrue(message.contains("in use"), message);
        assertTrue(Files.exists(path));
    }

    @Test
    void aPathInUseIsRefusedAndStaysInUse() {
        assertInUse(left());
    }

    @Test
    void anotherFileIsRefusedAndStays() throws Exception {
        Path path = Files.writeString(directory.resolve("file"), "precious");
        String message = assertThrows(LinkException.class, () -> SocketPort.unix(path, right()))
                .getMessage();
        assertNotNull(message);
        assertTrue(message.contains("no socket"), message);
        assertEquals("precious", Files.readString(path));
        Path toFile = Files.createSymbolicLink(directory.resolve("link"), path);
        assertThrows(LinkException.class, () -> SocketPort.unix(toFile, right()));
        assertTrue(Files.isSymbolicLink(toFile));
    }

    @Test
    void aPathThatIsTooLongIsRefused() {
        Path path = Path.of("/" + "x".repeat(107));
        String message = assertThrows(LinkException.class, () -> SocketPort.unix(path, right()))
                .getMessage();
        assertNotNull(message);
        assertTrue(message.contains("108 bytes"), message);
        assertThrows(LinkException.class, () -> SocketPort.unix(directory.resolve("own"), path));
        assertFalse(Files.exists(directory.resolve("own")));
    }

    @Test
    void aPeerMayComeLateAndComeAgain() {
        Path mine = directory.resolve("mine");
        Path its = directory.resolve("its");
        FramePort port = SocketPort.unix(mine, its);
        try (FramePair alone = new FramePair(port, FrameCable.open().left())) {
            assertFalse(alone.send(port, FramePair.frame(1, 60)));
            assertEquals(1, port.counters().sendDropped());
            assertTrue(port.isUp());
            for (int time = 0; time < 2; time++) {
                try (FramePair pair = new FramePair(
                        SocketPort.unix(its, mine), FrameCable.open().left())) {
                    assertTrue(alone.send(port, FramePair.frame(time, 1514)));
                    assertArrayEquals(FramePair.frame(time, 1514), pair.receive(pair.left));
                }
                assertFalse(alone.send(port, FramePair.frame(1, 60)));
            }
        }
    }

    @Test
    void aFullQueueDropsFrames() {
        Path mine = directory.resolve("mine");
        Path its = directory.resolve("its");
        try (FramePair pair = new FramePair(SocketPort.unix(mine, its), SocketPort.unix(its, mine))) {
            int sent = 0;
            while (sent < 100_000 && pair.send(pair.left, FramePair.frame(sent, 1514))) {
                sent++;
            }
            assertEquals(1, pair.left.counters().sendDropped());
            for (int i = 0; i < sent; i++) {
                assertArrayEquals(FramePair.frame(i, 1514), pair.receive(pair.right));
            }
            assertTrue(pair.send(pair.left, FramePair.frame(1, 60)));
        }
    }
}
