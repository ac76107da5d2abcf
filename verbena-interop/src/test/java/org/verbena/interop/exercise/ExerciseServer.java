package org.verbena.interop.exercise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import org.verbena.PrivateData;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Our end as the server of a kernel's {@code vx -c ADDRESS SCENARIO}. */
public final class ExerciseServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BLOCK = 16384;

    private final ExerciseEnd end;
    private final String scenario;
    private final int rounds;
    private final int size;
    private final Listener listener;

    /** Listens at any free port. */
    public ExerciseServer(ExerciseEnd end, InetAddress at, String scenario, int rounds, int size) {
        this.end = end;
        this.scenario = scenario;
        this.rounds = rounds;
        this.size = size;
        this.listener = Listener.open(end.adapter(), new InetSocketAddress(at, 0), ListenerOptions.DEFAULT);
    }

    public int port() {
        return listener.address().getPort();
    }

    /**
     * Serves a client that runs in the VM, and waits for its end.
     *
     * @throws AssertionError if a check fails at our end; the client's output is in a suppressed exception
     */
    public Outcome serve(PeerJob client) throws InterruptedException {
        try {
            serve();
        } catch (AssertionError failure) {
            failure.addSuppressed(new AssertionError(client.said()));
            throw failure;
        }
        return client.end().succeeds();
    }

    /** Serves a client that runs in the VM until a request of it is refused; the connection is over then. */
    public void serveUntilRefusal(PeerJob client) throws InterruptedException {
        try {
            Connection connection = accept();
            if (scenario.equals("sendinv")) {
                lendRegion();
            } else if (scenario.equals("toolong")) {
                end.ends(Status.LOCAL_LENGTH_ERROR);
            }
            assertTrue(connection.awaitDisconnected(PATIENCE), "the client stays connected");
        } catch (AssertionError failure) {
            failure.addSuppressed(new AssertionError(client.said()));
            throw failure;
        }
    }

    /** Accepts one client, plays the server's part of the scenario, and waits until the client has disconnected. */
    private void serve() throws InterruptedException {
        Connection connection = accept();
        run();
        assertTrue(connection.awaitDisconnected(PATIENCE), "the client stays connected");
        if (scenario.equals("atomicwrite")) {
            assertEquals(ExerciseEnd.VALUE, end.longAt(64));
        }
    }

    private Connection accept() throws InterruptedException {
        ConnectionRequest request = listener.accept(PATIENCE);
        assertNotNull(request, "no client came");
        String said = new String(request.privateData().bytes(), StandardCharsets.US_ASCII);
        assertTrue(said.startsWith("vx-" + scenario), said);
        prepare();
        end.swapOut();
        ConnectionOptions terms = ConnectionOptions.DEFAULT
                .withReads(4, 4)
                .withRnr(
                        scenario.equals("rnrfail") ? 2 : 7,
                        RnrTimer.atLeast(scenario.startsWith("rnr") ? 122_880 : 640));
        Connection connection = request.accept(
                end.queuePair(), AcceptOptions.DEFAULT.withConnection(terms).withPrivateData(told()));
        return connection.awaitEstablished(PATIENCE);
    }

    private PrivateData told() {
        return PrivateData.of(ByteBuffer.allocate(16)
                .putLong(end.address().address())
                .putInt(end.address().key())
                .putInt(ExerciseEnd.LENGTH)
                .array());
    }

    /** Posts the receives and writes the contents that the client's first request needs. */
    private void prepare() {
        switch (scenario) {
            case "send", "sendimm" -> end.receiveAt(ExerciseEnd.RECEIVES, 262144, 0);
            case "writeimm" -> {
                for (int i = 0; i <= rounds; i++) {
                    end.receiveAt(ExerciseEnd.RECEIVES, 4, i);
                }
            }
            case "write" -> {
                end.receiveAt(ExerciseEnd.RECEIVES, 4, 0);
                end.receiveAt(ExerciseEnd.RECEIVES, 4, 1);
            }
            case "mw", "sendinv" -> end.receiveAt(ExerciseEnd.RECEIVES, 4096, 0);
            case "toolong" -> end.receiveAt(ExerciseEnd.RECEIVES, 2000, 0);
            case "read", "readonly" -> {
                for (int i = 0; i < 16; i++) {
                    end.fill((long) i * BLOCK, BLOCK, ExerciseEnd.SERVER + i);
                }
            }
            case "atomic" -> end.longAt(0, 0x1000000000000001L);
            case "sends" -> Loads.receiveSlots(end);
            case "writes", "adds" -> end.receiveAt(ExerciseEnd.RECEIVES, 4, 0);
            case "reads" -> {
                end.receiveAt(ExerciseEnd.RECEIVES, 4, 0);
                for (int i = 0; i < Loads.DEPTH; i++) {
                    Loads.number(end, (long) i * Loads.SLOT, size, ExerciseEnd.SERVER, i);
                }
            }
            default -> {}
        }
    }

    private void run() throws InterruptedException {
        switch (scenario) {
            case "send", "sendimm" -> echo();
            case "write", "writeimm" -> lookAtBlocks();
            case "mw" -> lendWindow();
            case "sendinv" -> lendRegion();
            case "rnr" -> receiveLate();
            case "toolong" -> end.ends(Status.LOCAL_LENGTH_ERROR);
            case "sends" -> Loads.sends(end, rounds, size, ExerciseEnd.SERVER, ExerciseEnd.CLIENT);
            case "writes", "reads", "adds" -> Loads.serveRequests(end, scenario, rounds, size);
            default -> {}
        }
    }

    private void echo() {
        boolean immediate = scenario.equals("sendimm");
        for (int i = 0; i < rounds; i++) {
            Completion received = end.done();
            long length = received.byteLength();
            end.holds(ExerciseEnd.RECEIVES, length, ExerciseEnd.CLIENT + i, "message " + i);
            assertEquals(immediate ? (Integer) (0x11223300 + i) : null, received.immediate());
            if (i + 1 < rounds) {
                end.receiveAt(ExerciseEnd.RECEIVES, 262144, i + 1);
            }
            end.fill(0, length, ExerciseEnd.SERVER + i);
            Payload data = Payload.of(end.segment(0, length));
            end.post(
                    immediate
                            ? new WorkRequest.SendWithImmediate(100, data, 0x44556600 + i, SendOptions.SIGNALLED)
                            : new WorkRequest.Send(100, data, SendOptions.SIGNALLED));
            end.done();
        }
    }

    private void lookAtBlocks() {
        boolean immediate = scenario.equals("writeimm");
        for (int i = 0; i < (immediate ? rounds : 1); i++) {
            Completion told = end.done();
            assertEquals(immediate ? (Integer) (0x55667700 + i) : null, told.immediate());
        }
        for (int i = 0; i < rounds; i++) {
            end.holds((long) i * BLOCK, size, ExerciseEnd.CLIENT + i, "block " + i);
        }
        end.done();
        end.post(new WorkRequest.Send(100, end.segment(0, 4)));
        end.done();
    }

    private void lendWindow() {
        Window window = end.adapter().createWindow(end.domain(), Window.Type.TYPE_2);
        int key = MemoryKey.next(window.key());
        end.post(new WorkRequest.BindWindow(
                7,
                window,
                key,
                end.region(),
                end.address().address() + 4096,
                8192,
                EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE),
                SendOptions.SIGNALLED));
        end.done();
        lend(key);
    }

    private void lendRegion() {
        Region region = end.adapter()
                .reserve(
                        end.domain(),
                        end.plainMemory().asSlice(0, 65536),
                        EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_READ, Right.REMOTE_WRITE));
        int key = region.key();
        end.post(new WorkRequest.Register(7, key, SendOptions.SIGNALLED));
        end.done();
        lend(key);
        assertEquals(0, end.word(0), "written with a key that was taken back");
    }

    private void lend(int key) {
        end.word(ExerciseEnd.RECEIVES / 2, key);
        end.post(new WorkRequest.Send(8, end.segment(ExerciseEnd.RECEIVES / 2, 4)));
        end.done();
        Completion taken = end.done();
        assertEquals((Integer) key, taken.invalidatedKey());
    }

    private void receiveLate() throws InterruptedException {
        Thread.sleep(400);
        for (int i = 0; i < 3; i++) {
            end.receiveAt(ExerciseEnd.RECEIVES + i * 4096L, 4096, i);
        }
        for (int i = 0; i < 3; i++) {
            end.done();
            end.holds(ExerciseEnd.RECEIVES + i * 4096L, 100, ExerciseEnd.CLIENT + i, "message " + i);
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
