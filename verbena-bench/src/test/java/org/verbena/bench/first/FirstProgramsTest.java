package org.verbena.bench.first;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every program runs to its end and prints its numbers. Both ends are threads here; the figures start them as processes. */
@Timeout(120)
final class FirstProgramsTest {
    private static final String SECONDS = "0.02";
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    /** A program. */
    private interface Main {
        void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException;
    }

    private static Readings run(Main program, String more) throws IOException {
        return run(program, more, 1);
    }

    /** Runs a server and clients to their ends; what the first client printed. */
    private static Readings run(Main program, String more, int clients) throws IOException {
        String port = freePort();
        CompletableFuture<?>[] all = new CompletableFuture<?>[1 + clients];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        all[0] = start(program, Arguments.parse("server", port, SECONDS, SECONDS, more), NOWHERE);
        for (int i = 1; i <= clients; i++) {
            all[i] = start(program, Arguments.parse("client", port, SECONDS, SECONDS, more), i == 1 ? out : NOWHERE);
        }
        CompletableFuture<Void> ended = CompletableFuture.allOf(all);
        for (CompletableFuture<?> one : all) {
            var _ = one.whenComplete((_, failure) -> {
                if (failure != null) {
                    ended.completeExceptionally(failure); // the other end may wait for ever
                }
            });
        }
        ended.join();
        return Readings.parse(bytes.toString(StandardCharsets.UTF_8));
    }

    private static CompletableFuture<?> start(Main program, Arguments arguments, PrintStream out) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        program.run(arguments, out);
                    } catch (IOException | InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                command -> Thread.ofPlatform().daemon().start(command));
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    private static void positive(Readings readings, Reading... expected) {
        for (Reading reading : expected) {
            assertTrue(readings.value(reading) > 0, reading::label);
        }
    }

    private static void notNegative(Readings readings, Reading... expected) {
        for (Reading reading : expected) {
            assertTrue(readings.value(reading) >= 0, reading::label);
        }
    }

    private static void checkRoundTrips(Readings readings) {
        positive(readings, Reading.ROUND_TRIPS_PER_SECOND, Reading.MEDIAN_US, Reading.P99_US);
        notNegative(readings, Reading.CPU_US_PER_ROUND_TRIP, Reading.RESENT_PERCENT);
        assertTrue(readings.value(Reading.MEDIAN_US) <= readings.value(Reading.P99_US));
    }

    @Test
    void pingPongThatSleeps() throws IOException {
        checkRoundTrips(run(PingPong::run, "blocking"));
    }

    @Test
    void pingPongThatSpins() throws IOException {
        checkRoundTrips(run(PingPong::run, "spinning"));
    }

    @Test
    void aPingPongThatWaitsInAnotherWayIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> PingPong.run(Arguments.parse("client", "1", "0", "0", "sleeping"), NOWHERE));
    }

    @Test
    void pingPongOverTcp() throws IOException {
        checkRoundTrips(run(TcpPingPong::run, ""));
    }

    @Test
    void keyValueByReads() throws IOException {
        positive(run(KeyValue::run, "", 2), Reading.GETS_PER_SECOND);
    }

    @Test
    void keyValueOverTcp() throws IOException {
        positive(run(TcpKeyValue::run, "", 2), Reading.GETS_PER_SECOND);
    }

    @Test
    void requestsFromVirtualThreads() throws IOException {
        positive(run(Requests::run, "3"), Reading.REQUESTS_PER_SECOND);
    }

    @Test
    void requestsFromVirtualThreadsOverTcp() throws IOException {
        positive(run(TcpRequests::run, "3"), Reading.REQUESTS_PER_SECOND);
    }

    /** More than all slots, with a last block that is not full. */
    @ParameterizedTest
    @ValueSource(longs = {1, (20 << 20) + 5})
    void copyOfAFile(long size) throws IOException {
        positive(
                run(FileCopy::run, Long.toString(size)),
                Reading.FIRST_COPY_MB_PER_SECOND,
                Reading.THIRD_COPY_MB_PER_SECOND);
    }

    @Test
    void copyOfAFileOverTcp() throws IOException {
        positive(
                run(TcpFileCopy::run, Integer.toString((3 << 20) + 5)),
                Reading.FIRST_COPY_MB_PER_SECOND,
                Reading.THIRD_COPY_MB_PER_SECOND);
    }

    @Test
    void aReceiveThatIsMissing() throws IOException {
        Readings readings = run(MissingReceive::run, "");
        notNegative(readings, Reading.CPU_PERCENT, Reading.RETRIES_PER_SECOND);
        positive(readings, Reading.EVENT_AFTER_SECONDS);
    }

    @Test
    void aStreamOfWrites() throws IOException {
        Readings readings = run(WriteStream::run, "");
        positive(readings, Reading.MB_PER_SECOND);
        notNegative(readings, Reading.RESENT_PERCENT);
    }
}
