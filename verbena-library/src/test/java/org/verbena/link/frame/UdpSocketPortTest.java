package org.verbena.link.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.udp.UdpDriver;

/** Frames over UDP, by descriptors of Linux. */
@EnabledOnOs(OS.LINUX)
class UdpSocketPortTest extends FramePortContractTest {
    UdpDriver driver() {
        return UdpDriver.LINUX;
    }

    /** An endpoint that no socket has now. */
    private static Endpoint free() throws Exception {
        try (DatagramSocket socket =
                new DatagramSocket(0, Endpoint.of("127.0.0.1", 0).address())) {
            return Endpoint.of("127.0.0.1", socket.getLocalPort());
        }
    }

    @Override
    FramePair open() throws Exception {
        Endpoint left = free();
        Endpoint right = free();
        return new FramePair(SocketPort.udp(left, right, driver()), SocketPort.udp(right, left, driver()));
    }

    @Test
    void aPlainSocketGetsAndSendsFramesWithoutAnyHeader() throws Exception {
        Endpoint own = free();
        try (DatagramSocket plain =
                        new DatagramSocket(0, Endpoint.of("127.0.0.1", 0).address());
                FramePair pair = new FramePair(
                        SocketPort.udp(own, Endpoint.of("127.0.0.1", plain.getLocalPort()), driver()),
                        FrameCable.open().left())) {
            byte[] frame = FramePair.frame(1, 1514);
            assertTrue(pair.send(pair.left, frame));
            DatagramPacket taken = new DatagramPacket(new byte[2000], 2000);
            plain.receive(taken);
            assertEquals(1514, taken.getLength());
            assertArrayEquals(frame, java.util.Arrays.copyOf(taken.getData(), 1514));
            InetSocketAddress to = new InetSocketAddress(own.address(), own.port());
            plain.send(new DatagramPacket(new byte[13], 13, to));
            plain.send(new DatagramPacket(frame, 900, to));
            assertArrayEquals(java.util.Arrays.copyOf(frame, 900), pair.receive(pair.left));
            assertEquals(1, pair.left.counters().receiveMalformed());
        }
    }

    @Test
    void aDatagramFromElsewhereIsNotReceived() throws Exception {
        Endpoint own = free();
        Endpoint peer = free();
        try (DatagramSocket stranger =
                        new DatagramSocket(0, Endpoint.of("127.0.0.1", 0).address());
                FramePair pair =
                        new FramePair(SocketPort.udp(own, peer, driver()), SocketPort.udp(peer, own, driver()))) {
            stranger.send(
                    new DatagramPacket(FramePair.frame(1, 60), 60, new InetSocketAddress(own.address(), own.port())));
            assertTrue(pair.send(pair.right, FramePair.frame(2, 60)));
            assertArrayEquals(FramePair.frame(2, 60), pair.receive(pair.left));
            assertEquals(1, pair.left.counters().received());
        }
    }

    @Test
    void aPortWithoutAPeerIsUpAndReachesThePeerWhenItComes() throws Exception {
        Endpoint own = free();
        Endpoint peer = free();
        FramePort alone = SocketPort.udp(own, peer, driver());
        try (FramePair before = new FramePair(alone, FrameCable.open().left())) {
            for (int i = 0; i < 20; i++) {
                before.send(alone, FramePair.frame(i, 60));
                before.atLeft.sleep(100_000);
                assertEquals(0, alone.receive(java.lang.foreign.Arena.ofAuto().allocate(100), 0, 100));
                assertTrue(alone.isUp());
            }
            assertEquals(20, alone.counters().sent() + alone.counters().sendDropped());
            assertEquals(0, alone.counters().receiveErrors());
            FramePort come = SocketPort.udp(peer, own, driver());
            try (FramePair pair = new FramePair(come, FrameCable.open().left())) {
                byte[] taken = null;
                for (int i = 0; i < 10 && taken == null; i++) {
                    before.send(alone, FramePair.frame(99, 60));
                    taken = pair.receive(come);
                }
                assertArrayEquals(FramePair.frame(99, 60), taken);
            }
        }
    }

    @Test
    void endpointsThatCannotBeAreRefused() throws Exception {
        Endpoint own = free();
        assertThrows(LinkException.class, () -> SocketPort.udp(own, Endpoint.of("::1", 5), driver()));
        assertThrows(LinkException.class, () -> SocketPort.udp(own, Endpoint.of("127.0.0.1", 0), driver()));
        Endpoint peer = free();
        try (FramePort first = SocketPort.udp(own, peer, driver())) {
            assertTrue(first.isUp());
            assertThrows(LinkException.class, () -> SocketPort.udp(own, peer, driver()));
        }
    }
}
