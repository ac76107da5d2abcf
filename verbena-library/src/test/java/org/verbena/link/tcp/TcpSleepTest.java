package org.verbena.link.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.StreamLog;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamListener;

/** A thread sleeps for streams whose peers are other threads; and one thread sleeps while another one drives. */
@Timeout(
        value = 60,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a sleep in the system does not end with an interrupt
final class TcpSleepTest {
    /** An event that was missed would be slept through for an hour. */
    private static final long HOUR_NS = 3_600_000_000_000L;

    private static final int ROUNDS = 50;

    private final RunnerSleeper sleeper = new RunnerSleeper();
    private final List<ByteStream> accepted = new ArrayList<>();
    private final TcpNetwork network =
            TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), TcpOptions.DEFAULT);
    private StreamListener listener;

    @BeforeEach
    void listen() {
        sleeper.add(network);
        listener = network.listen(Endpoint.of("127.0.0.1", 0), 10, accepted::add);
    }

    @AfterEach
    void close() {
        network.close();
        sleeper.close();
    }

    private interface Step {
        void run() throws IOException;
    }

    private static Thread start(Step step) {
        return Thread.ofPlatform().start(() -> {
            try {
                step.run();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private Socket peer() throws IOException {
        return new Socket(listener.local().address(), listener.local().port());
    }

    private void sleepUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (network.poll(0) == 0 && !condition.getAsBoolean()) {
                sleeper.sleep(HOUR_NS);
            }
        }
    }

    private ByteStream next() {
        int before = accepted.size();
        sleepUntil(() -> accepted.size() > before);
        return accepted.getLast();
    }

    @Test
    void bytesEndASleep() throws Exception {
        try (Socket peer = peer()) {
            StreamLog log = new StreamLog().reads(next());
            for (int round = 1; round <= ROUNDS; round++) {
                Thread other = start(() -> peer.getOutputStream().write(1));
                int wanted = round;
                sleepUntil(() -> log.arrived().length == wanted);
                other.join();
            }
            Thread other = start(peer::shutdownOutput);
            sleepUntil(() -> log.ended);
            other.join();
        }
    }

    @Test
    void roomEndsASleep() throws Exception {
        try (Socket peer = peer()) {
            ByteStream stream = next();
            StreamLog log = new StreamLog();
            stream.user(log);
            for (int round = 0; round < 3; round++) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
                long sent = 0;
                for (int count = 1; count > 0; ) {
                    count = stream.write(bytes.clear());
                    sent += count;
                }
                long all = sent;
                stream.wants(false, true);
                Thread other = start(() -> skip(peer.getInputStream(), all));
                int before = log.writable;
                sleepUntil(() -> log.writable > before);
                stream.wants(false, false);
                other.join();
            }
        }
    }

    private static void skip(InputStream from, long bytes) throws IOException {
        from.skipNBytes(bytes);
    }

    @Test
    void anIncomingStreamEndsASleep() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Thread other = start(() -> peer().close());
            next().close();
            other.join();
        }
    }

    @Test
    void theEndOfAnAttemptToConnectEndsASleep() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, listener.local().address())) {
            for (int round = 0; round < ROUNDS; round++) {
                StreamLog log = new StreamLog();
                ByteStream stream = network.connect(Endpoint.of("127.0.0.1", server.getLocalPort()), 0, log);
                sleepUntil(() -> log.connected == 1);
                server.accept().close();
                log.reads(stream);
                sleepUntil(() -> log.ended);
                stream.close();
            }
        }
    }

    /** Sleeps in another thread, as a watcher does, while the current thread drives. */
    private Thread sleepElsewhere() {
        long boundNs = sleeper.prepare(HOUR_NS);
        assertTrue(boundNs > 0, "there is no event yet");
        return Thread.ofPlatform().start(() -> sleeper.block(boundNs));
    }

    private void pollUntilQuiet() {
        for (int i = 0; i < 10; i++) {
            network.poll(0);
        }
    }

    @Test
    void aLookWhileAnotherThreadSleepsLeavesTheEventsToIt() throws Exception {
        try (Socket peer = peer()) {
            StreamLog log = new StreamLog().reads(next());
            for (int round = 1; round <= ROUNDS; round++) {
                pollUntilQuiet();
                Thread watcher = sleepElsewhere();
                int looks = 100 * round;
                for (int i = 0; i < looks; i++) {
                    sleeper.look();
                }
                peer.getOutputStream().write(1);
                watcher.join();
                sleeper.tell();
                network.poll(0);
                assertEquals(round, log.arrived().length);
            }
        }
    }

    @Test
    void aStreamThatIsReadAgainEndsTheSleepOfAnotherThread() throws Exception {
        try (Socket peer = peer()) {
            ByteStream stream = next();
            StreamLog log = new StreamLog().reads(stream);
            for (int round = 1; round <= ROUNDS; round++) {
                pollUntilQuiet();
                stream.wants(false, false);
                Thread watcher = sleepElsewhere();
                peer.getOutputStream().write(1);
                stream.wants(true, false);
                watcher.join();
                sleeper.tell();
                int wanted = round;
                sleepUntil(() -> log.arrived().length == wanted);
            }
        }
    }

    @Test
    void aStreamThatIsOpenedEndsTheSleepOfAnotherThread() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, listener.local().address())) {
            for (int round = 0; round < ROUNDS; round++) {
                pollUntilQuiet();
                Thread watcher = sleepElsewhere();
                StreamLog log = new StreamLog();
                ByteStream stream = network.connect(Endpoint.of("127.0.0.1", server.getLocalPort()), 0, log);
                watcher.join();
                sleeper.tell();
                sleepUntil(() -> log.connected == 1);
                stream.close();
                server.accept().close();
            }
        }
    }

    @Test
    void aStreamThatIsClosedWhileAnotherThreadSleepsEndsThePeer() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Socket peer = peer()) {
                ByteStream stream = next();
                new StreamLog().reads(stream);
                pollUntilQuiet();
                Thread watcher = sleepElsewhere();
                stream.close();
                assertEquals(-1, peer.getInputStream().read());
                sleeper.wakeup();
                watcher.join();
                sleeper.tell();
            }
        }
    }
}
