package org.verbena.link.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.contract.StreamLog;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamListener;

/** Peers that vanish, addresses and ports that cannot be had. */
@Timeout(60)
final class TcpFailureTest {
    private final List<ByteStream> accepted = new ArrayList<>();
    private final TcpNetwork network =
            TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), TcpOptions.DEFAULT);

    @AfterEach
    void close() {
        network.close();
    }

    private void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            network.poll(0);
        }
    }

    private StreamListener listen() {
        return network.listen(Endpoint.of("127.0.0.1", 0), 10, accepted::add);
    }

    @Test
    void aPeerThatVanishesEndsTheStream() throws IOException {
        StreamListener listener = listen();
        Socket peer = new Socket(listener.local().address(), listener.local().port());
        until(() -> accepted.size() == 1);
        ByteStream stream = accepted.getFirst();
        StreamLog log = new StreamLog().reads(stream);
        assertEquals(8, stream.write(ByteBuffer.allocateDirect(8)));
        peer.setSoLinger(true, 0); // its end resets the connection
        peer.close();
        until(() -> log.ended);
        assertEquals(ByteStream.END, stream.read(ByteBuffer.allocateDirect(8)));
        assertEquals(ByteStream.END, stream.write(ByteBuffer.allocateDirect(8)));
        stream.endOutput();
        stream.close();
    }

    private StreamLog failed(Endpoint remote, int localPort) {
        StreamLog log = new StreamLog();
        network.connect(remote, localPort, log);
        until(() -> log.failure != null);
        assertTrue(log.detail.contains(remote.toString()), log.detail);
        return log;
    }

    @Test
    @EnabledOnOs(OS.LINUX) // other systems have one loopback address
    void aStreamBeginsAtTheAddressOfItsNetworkIfTheSystemWouldChooseAnotherOne() {
        StreamListener listener = listen();
        try (TcpNetwork other = TcpNetwork.open(Endpoint.of("127.0.0.2", 0).address(), TcpOptions.DEFAULT)) {
            for (int i = 1; i <= 2; i++) {
                StreamLog log = new StreamLog();
                ByteStream stream = other.connect(listener.local(), 0, log);
                int wanted = i;
                until(() -> other.poll(0) >= 0 && log.connected == 1 && accepted.size() == wanted);
                assertEquals("127.0.0.2", stream.local().address().getHostAddress());
                assertEquals(stream.local(), accepted.getLast().remote());
            }
        }
    }

    @Test
    void anAddressThatIsNotReachedIsToldWithTheReason() {
        assertEquals(StreamFailure.UNREACHABLE, failed(Endpoint.of("::1", 9), 0).failure);
        // A loopback address reaches no other machine: the system has no way from it.
        StreamLog outside = failed(Endpoint.of("192.0.2.1", 9), 0);
        assertTrue(
                outside.failure == StreamFailure.UNREACHABLE || outside.failure == StreamFailure.EXHAUSTED,
                outside.failure + ": " + outside.detail);
    }

    @Test
    void aLocalPortThatIsTakenIsToldWithItsNumber() {
        StreamListener listener = listen();
        StreamLog log = failed(Endpoint.of("127.0.0.1", 9), listener.local().port());
        assertEquals(StreamFailure.EXHAUSTED, log.failure);
        assertTrue(log.detail.contains(listener.local().toString()), log.detail);
    }

    @Test
    void anAddressThatIsNotOfThisMachineIsRefused() {
        for (String wrong : List.of("0.0.0.0", "::", "224.0.0.1", "192.0.2.1")) {
            String message = String.valueOf(assertThrows(
                            LinkException.class,
                            () -> TcpNetwork.open(Endpoint.of(wrong, 0).address(), TcpOptions.DEFAULT))
                    .getMessage());
            assertTrue(message.contains(Endpoint.of(wrong, 0).address().getHostAddress()), message);
        }
    }

    @Test
    void aClosedNetworkOpensNothing() {
        network.close();
        assertThrows(IllegalStateException.class, this::listen);
        assertThrows(
                IllegalStateException.class, () -> network.connect(Endpoint.of("127.0.0.1", 9), 0, new StreamLog()));
    }

    @Test
    void aBufferOfNegativeSizeIsRefused() {
        assertThrows(LinkException.class, () -> TcpOptions.DEFAULT.withSendBufferBytes(-1));
        assertThrows(LinkException.class, () -> TcpOptions.DEFAULT.withReceiveBufferBytes(-1));
    }

    @Test
    void smallBuffersStopASenderEarly() {
        TcpOptions small = TcpOptions.DEFAULT.withSendBufferBytes(16_384).withReceiveBufferBytes(16_384);
        try (TcpNetwork tight = TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), small)) {
            List<ByteStream> ends = new ArrayList<>();
            StreamListener listener = tight.listen(Endpoint.of("127.0.0.1", 0), 10, ends::add);
            StreamLog log = new StreamLog();
            ByteStream stream = tight.connect(listener.local(), 0, log);
            while (log.connected == 0 || ends.isEmpty()) {
                tight.poll(0);
            }
            ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 22);
            int sent = stream.write(bytes);
            assertTrue(sent > 0 && sent < 1 << 20, sent + " bytes taken");
        }
    }
}
