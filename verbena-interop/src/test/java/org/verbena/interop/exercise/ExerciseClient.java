package org.verbena.interop.exercise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.verbena.PrivateData;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Our end as the client of a kernel's {@code vx -l SCENARIO}. */
public final class ExerciseClient implements AutoCloseable {
    private static final int BLOCK = 16384;

    private final ExerciseEnd end;
    private final Connection connection;
    private final RemoteMemory peer;

    /** Connects; the server's answer says where its memory is. */
    public ExerciseClient(ExerciseEnd end, InetSocketAddress server, String scenario) throws InterruptedException {
        this.end = end;
        if (scenario.equals("mw") || scenario.equals("sendinv")) {
            end.receiveAt(ExerciseEnd.RECEIVES, 4096, 1);
        } else if (scenario.equals("sends")) {
            Loads.receiveSlots(end);
        }
        end.swapOut();
        ConnectionOptions terms = ConnectionOptions.DEFAULT
                .withReads(4, 4)
                .withRnr(scenario.equals("rnrfail") ? 2 : 7, RnrTimer.atLeast(640));
        connection = Connector.connect(
                end.adapter(),
                server,
                end.queuePair(),
                ConnectorOptions.DEFAULT
                        .withConnection(terms)
                        .withPrivateData(PrivateData.of(("vx-" + scenario).getBytes(StandardCharsets.US_ASCII))));
        peer = told(connection.privateData());
    }

    private static RemoteMemory told(PrivateData data) {
        MemorySegment bytes = MemorySegment.ofArray(data.bytes());
        return new RemoteMemory(
                bytes.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0),
                bytes.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 8));
    }

    /** Where the server's memory is. */
    public RemoteMemory peer() {
        return peer;
    }

    public void send(int rounds, int size, boolean immediate) {
        for (int i = 0; i < rounds; i++) {
            end.receiveAt(ExerciseEnd.RECEIVES, 262144, 1000 + i);
            end.fill(0, size, ExerciseEnd.CLIENT + i);
            Payload data = Payload.of(end.segment(0, size));
            end.post(
                    immediate
                            ? new WorkRequest.SendWithImmediate(i, data, 0x11223300 + i, SendOptions.SIGNALLED)
                            : new WorkRequest.Send(i, data, SendOptions.SIGNALLED));
            var first = end.done();
            var second = end.done();
            Integer told = first.operation().isReceive() ? first.immediate() : second.immediate();
            assertEquals(immediate ? (Integer) (0x44556600 + i) : null, told);
            end.holds(ExerciseEnd.RECEIVES, size, ExerciseEnd.SERVER + i, "echo " + i);
        }
    }

    public void write(int rounds, int size, boolean immediate) {
        for (int i = 0; i < rounds; i++) {
            end.fill(0, size, ExerciseEnd.CLIENT + i);
            Payload data = Payload.of(end.segment(0, size));
            RemoteMemory target = peer.plus((long) i * BLOCK);
            end.post(
                    immediate
                            ? new WorkRequest.WriteWithImmediate(i, data, target, 0x55667700 + i, SendOptions.SIGNALLED)
                            : new WorkRequest.Write(i, data, target, SendOptions.SIGNALLED));
            end.done();
        }
        if (!immediate) {
            end.post(new WorkRequest.Send(99, end.segment(0, 4)));
            end.done();
        }
        end.receiveAt(ExerciseEnd.RECEIVES, 4, 1000);
        end.post(new WorkRequest.Send(100, end.segment(0, 4)));
        end.done();
        end.done();
    }

    public void read(int rounds, int size) {
        for (int i = 0; i < rounds; i++) {
            long offset = (long) i * BLOCK;
            end.post(new WorkRequest.Read(i, end.segment(offset, size), peer.plus(offset)));
            end.done();
            end.holds(offset, size, ExerciseEnd.SERVER + i, "read " + i);
        }
    }

    /** Memory that may be read may not be written. */
    public void readOnly() {
        read(1, 64);
        end.post(new WorkRequest.Write(50, end.segment(0, 16), peer));
        end.ends(Status.REMOTE_ACCESS_ERROR);
    }

    public void atomic(int rounds) {
        long expected = 0x1000000000000001L;
        for (int i = 0; i < rounds; i++) {
            end.post(new WorkRequest.FetchAdd(i, end.segment(0, 8), peer, 5, SendOptions.SIGNALLED));
            end.done();
            assertEquals(expected, end.longAt(0), "fetch add");
            expected += 5;
        }
        long replacement = 0xa5a5a5a5a5a50000L;
        end.post(
                new WorkRequest.CompareSwap(10, end.segment(0, 8), peer, expected, replacement, SendOptions.SIGNALLED));
        end.done();
        assertEquals(expected, end.longAt(0), "compare swap");
        end.post(new WorkRequest.CompareSwap(11, end.segment(0, 8), peer, 0xdead, 1, SendOptions.SIGNALLED));
        end.done();
        assertEquals(replacement, end.longAt(0), "compare swap of something else");
        end.post(new WorkRequest.Read(20, end.segment(0, 8), peer));
        end.done();
        assertEquals(replacement, end.longAt(0), "final value");
    }

    public void atomicWrite() {
        RemoteMemory target = peer.plus(64);
        end.post(new WorkRequest.AtomicWrite(1, ExerciseEnd.VALUE, target, SendOptions.SIGNALLED));
        end.done();
        end.post(new WorkRequest.Read(2, end.segment(0, 8), target));
        end.done();
        assertEquals(ExerciseEnd.VALUE, end.longAt(0), "read back");
    }

    /** Linux acknowledges the send, though it refuses to take back the key of a region that was registered by a call. */
    public void invalidateRegion() {
        end.done();
        end.post(new WorkRequest.SendWithInvalidate(
                3, Payload.of(end.segment(0, 32)), end.word(ExerciseEnd.RECEIVES), SendOptions.SIGNALLED));
        end.done();
    }

    /** Through the server's window until it is taken back by a send with invalidate. */
    public void window() {
        end.done();
        RemoteMemory window = new RemoteMemory(peer.address() + 4096, end.word(ExerciseEnd.RECEIVES));
        end.fill(0, 6000, ExerciseEnd.CLIENT);
        end.post(new WorkRequest.Write(1, end.segment(0, 6000), window));
        end.done();
        end.post(new WorkRequest.Read(2, end.segment(65536, 6000), window));
        end.done();
        end.holds(65536, 6000, ExerciseEnd.CLIENT, "read back");
        end.post(new WorkRequest.SendWithInvalidate(
                3, Payload.of(end.segment(0, 32)), window.key(), SendOptions.SIGNALLED));
        end.done();
        end.post(new WorkRequest.Write(4, end.segment(0, 16), window));
        end.ends(Status.REMOTE_ACCESS_ERROR);
    }

    /** The server has no receive yet. */
    public void receiverNotReady() {
        for (int i = 0; i < 3; i++) {
            end.fill(i * 4096L, 100, ExerciseEnd.CLIENT + i);
            end.post(new WorkRequest.Send(i, end.segment(i * 4096L, 100)));
        }
        end.done();
        end.done();
        end.done();
    }

    /** The server has no receive, ever. */
    public void receiverNeverReady() {
        end.post(new WorkRequest.Send(1, end.segment(0, 100)));
        end.ends(Status.RNR_RETRY_EXCEEDED);
    }

    public void badKey() {
        RemoteMemory wrong = new RemoteMemory(peer.address(), peer.key() ^ 0x00550000);
        end.post(new WorkRequest.Write(1, end.segment(0, 64), wrong));
        end.ends(Status.REMOTE_ACCESS_ERROR);
    }

    public void badRead() {
        RemoteMemory wrong = new RemoteMemory(peer.address(), peer.key() ^ 0x00550000);
        end.post(new WorkRequest.Read(1, end.segment(0, 64), wrong));
        end.ends(Status.REMOTE_ACCESS_ERROR);
    }

    public void badRange() {
        end.post(new WorkRequest.Write(1, end.segment(0, 64), peer.plus(ExerciseEnd.LENGTH - 32)));
        end.ends(Status.REMOTE_ACCESS_ERROR);
    }

    /** Linux says that it failed itself, where the standard has it say that the request is invalid. */
    public void tooLong() {
        end.post(new WorkRequest.Send(1, end.segment(0, 6000)));
        end.ends(Status.REMOTE_OPERATIONAL_ERROR);
    }

    // --- over iWARP, where a write is done when the stream has its bytes: the refusal of the peer comes later

    /** Memory that may be read may not be written. */
    public void writeReadOnly() {
        read(1, 64);
        writeTo(peer);
    }

    /** With a key that the server never had. */
    public void writeWithBadKey() {
        writeTo(new RemoteMemory(peer.address(), peer.key() ^ 0x00550000));
    }

    /** Past the end of the server's memory. */
    public void writeOutOfRange() {
        writeTo(peer.plus(ExerciseEnd.LENGTH - 8));
    }

    /** With a key that was taken back. */
    public void writeAfterInvalidate() {
        end.done();
        int key = end.word(ExerciseEnd.RECEIVES);
        end.post(new WorkRequest.SendWithInvalidate(3, Payload.of(end.segment(0, 32)), key, SendOptions.SIGNALLED));
        end.done();
        writeTo(new RemoteMemory(peer.address(), key));
    }

    private void writeTo(RemoteMemory target) {
        end.post(new WorkRequest.Write(50, end.segment(0, 16), target));
        end.done();
    }

    /** More than the server's receive has room for. */
    public void sendTooMuch() {
        end.post(new WorkRequest.Send(1, end.segment(0, 6000)));
        end.done();
    }

    /** To a server without a receive. */
    public void sendToNone() {
        end.post(new WorkRequest.Send(1, end.segment(0, 100)));
        end.done();
    }

    /** Writes {@code count} times, then has something happen to the peer: one of the next writes fails. */
    public void writeUntil(int count, Runnable happening) {
        for (int i = 0; i < count; i++) {
            end.post(new WorkRequest.Write(i, end.segment(0, 4096), peer));
            end.done();
        }
        for (int i = 0; i < 10; i++) {
            end.post(new WorkRequest.Write(count + i, end.segment(0, 65536), peer));
        }
        happening.run();
        Completion last = end.next();
        while (last.status().success()) {
            last = end.next();
        }
        assertEquals(Status.RETRY_EXCEEDED, last.status(), last::toString);
    }

    /** One of the loads. */
    public void load(String scenario, int count, int size) {
        if (scenario.equals("sends")) {
            Loads.sends(end, count, size, ExerciseEnd.CLIENT, ExerciseEnd.SERVER);
        } else {
            Loads.requests(end, peer, scenario, count, size);
        }
    }

    @Override
    public void close() {
        try {
            if (end.isLossy()) {
                // Until a server whose last message's acknowledgement was lost has asked again.
                Thread.sleep(1500);
            }
            var _ = connection.disconnect();
            connection.awaitDisconnected(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
