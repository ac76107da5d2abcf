package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.PrivateData;
import org.verbena.Right;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.services.push.wire.Hello;
import org.verbena.services.push.wire.HelloReply;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;

/** A peer without a messaging layer: it has the queue pairs of both channels, and sends any bytes on them. */
final class RawPeer {
    static final int MESSAGE_BYTES = 4096;
    private static final int RECEIVES = 128;
    private static final int SENDS = 128;
    private static final int SEND_ROOM = 1 << 16;
    private static final Duration LONG = Duration.ofSeconds(30);

    final Stand stand;
    final Stand.Node node;
    /** Messages that arrived on each channel. */
    final List<List<byte[]>> messages = List.of(new ArrayList<>(), new ArrayList<>());

    final List<Integer> immediates = new ArrayList<>();
    final Region region;
    final MemorySegment memory;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final Completions batch = new Completions(64);
    private final QueuePair[] pairs = new QueuePair[2];
    private final @Nullable Connection[] connections = new @Nullable Connection[2];
    private int sent;
    private int done;

    RawPeer(Stand stand, Stand.Node node, Service data) {
        this.stand = stand;
        this.node = node;
        domain = node.adapter.createProtectionDomain();
        completions = node.adapter.createCompletionQueue(1024);
        memory = Arena.ofAuto().allocate(SEND_ROOM + 2L * RECEIVES * MESSAGE_BYTES, 64);
        region = node.adapter.register(domain, memory, EnumSet.allOf(Right.class));
        for (int channel = 0; channel < 2; channel++) {
            pairs[channel] = node.adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withService(channel == 0 ? Service.RC : data)
                    .withCapacity(SENDS, RECEIVES));
            pairs[channel].initialize(rights(channel));
            for (int i = 0; i < RECEIVES; i++) {
                receive(channel, i);
            }
        }
    }

    private static EnumSet<Right> rights(int channel) {
        return channel == 0 ? EnumSet.noneOf(Right.class) : EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE);
    }

    private long offset(int channel, long index) {
        return SEND_ROOM + ((long) channel * RECEIVES + index) * MESSAGE_BYTES;
    }

    private void receive(int channel, long index) {
        assertTrue(pairs[channel].post(
                new WorkRequest.Receive(index, LocalSegment.of(region, offset(channel, index), MESSAGE_BYTES))));
    }

    static ConnectionOptions options(int channel) {
        return ConnectionOptions.DEFAULT.withRemoteRights(rights(channel)).withReads(Pulls.READS_MAX, Pulls.READS_MAX);
    }

    // --- connections

    /** Asks for a channel; the peer's answer, or why there is none. */
    CompletableFuture<Connection> ask(InetSocketAddress to, int channel, PrivateData hello) {
        return Connector.connectAsync(
                        node.adapter,
                        to,
                        pairs[channel],
                        ConnectorOptions.DEFAULT
                                .withConnection(options(channel).withMtu(node.adapter.mtuMax()))
                                .withPrivateData(hello))
                .whenComplete((made, _) -> connections[channel] = made);
    }

    /** Connects both channels. */
    RawPeer connect(InetSocketAddress to, int model, int attributes) {
        for (int channel = 0; channel < 2; channel++) {
            Hello hello = new Hello(1, 1, channel, model, Hello.USE_RDMA, attributes, MESSAGE_BYTES, 4711, 0, 0, 0);
            CompletableFuture<Connection> made = ask(to, channel, hello.privateData());
            assertTrue(stand.runUntil(made::isDone, LONG), "connected");
            made.join();
        }
        return this;
    }

    /** Accepts both channels of a layer that connects. */
    void listen(int port) {
        Listener.open(node.adapter, node.at(port), ListenerOptions.DEFAULT, this::accept);
    }

    private void accept(ConnectionRequest request) {
        Hello hello = Hello.read(request.privateData());
        HelloReply reply = new HelloReply(1, MESSAGE_BYTES, hello.cookie(), 0, 0, 0);
        connections[hello.channel()] = request.accept(
                pairs[hello.channel()],
                AcceptOptions.DEFAULT
                        .withConnection(options(hello.channel()).withMtu(node.adapter.mtuMax()))
                        .withPrivateData(reply.privateData()));
    }

    /** Whether both channels are established. */
    boolean isConnected() {
        Connection control = connections[0];
        Connection data = connections[1];
        return control != null
                && data != null
                && control.whenEstablished().isDone()
                && data.whenEstablished().isDone();
    }

    void disconnect() {
        for (int channel = 0; channel < 2; channel++) {
            Connection made = connections[channel];
            if (made != null) {
                made.close();
            }
            pairs[channel].close();
        }
    }

    // --- messages

    /** The beginning of a message. */
    static ByteBuffer message(int function, long context, int bodyBytes) {
        return ByteBuffer.allocate(12 + bodyBytes)
                .putShort((short) function)
                .putShort((short) 1)
                .putLong(context);
    }

    private LocalSegment put(byte[] bytes) {
        // Each of the requests that can be under way has its own place.
        long at = (long) (sent % SENDS) * (SEND_ROOM / SENDS);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, at, bytes.length);
        return LocalSegment.of(region, at, bytes.length);
    }

    void send(int channel, byte[] bytes) {
        post(channel, new WorkRequest.Send(-1, put(bytes)));
    }

    void send(int channel, ByteBuffer message) {
        byte[] bytes = new byte[message.capacity()];
        message.duplicate().clear().get(bytes);
        send(channel, bytes);
    }

    void immediate(int channel, int word) {
        post(channel, new WorkRequest.SendWithImmediate(-1, Payload.of(), word, SendOptions.SIGNALLED));
    }

    /** A message with immediate data. */
    void immediate(int channel, byte[] bytes, int word) {
        post(channel, new WorkRequest.SendWithImmediate(-1, Payload.of(put(bytes)), word, SendOptions.SIGNALLED));
    }

    void write(RemoteMemory to, byte[] bytes) {
        post(1, new WorkRequest.Write(-1, put(bytes), to));
    }

    void write(RemoteMemory to, byte[] bytes, int word) {
        post(1, new WorkRequest.WriteWithImmediate(-1, Payload.of(put(bytes)), to, word, SendOptions.SIGNALLED));
    }

    private void post(int channel, WorkRequest.Sending request) {
        poll();
        if (sent - done < SENDS && pairs[channel].post(request)) {
            sent++;
        }
    }

    /** Takes what has arrived. */
    void poll() {
        for (int count = completions.poll(batch); count > 0; count = completions.poll(batch)) {
            for (int i = 0; i < count; i++) {
                take(i);
            }
        }
    }

    private void take(int index) {
        int channel = batch.queuePair(index) == pairs[0].number() ? 0 : 1;
        if (batch.id(index) < 0) {
            done++;
        } else if (batch.status(index).success()) {
            if (batch.operation(index) == Operation.RECEIVE_WRITE_WITH_IMMEDIATE || batch.byteLength(index) == 0) {
                immediates.add(batch.immediate(index));
            } else {
                messages.get(channel)
                        .add(memory.asSlice(offset(channel, batch.id(index)), batch.byteLength(index))
                                .toArray(ValueLayout.JAVA_BYTE));
            }
            receive(channel, batch.id(index));
        }
    }

    /** Runs for a time, and takes what has arrived. */
    void run(Duration time) {
        stand.run(time);
        poll();
    }

    // --- what the layer has offered

    /** The messages of a function on both channels. */
    List<ByteBuffer> of(int function) {
        poll();
        List<ByteBuffer> found = new ArrayList<>();
        for (List<byte[]> channel : messages) {
            channel.stream()
                    .map(ByteBuffer::wrap)
                    .filter(message -> message.getShort(0) == function)
                    .forEach(found::add);
        }
        return found;
    }

    /** Where the first pool of the layer is. */
    RemoteMemory pool() {
        ByteBuffer offer = of(1).getFirst();
        return new RemoteMemory(offer.getLong(20), offer.getInt(28));
    }

    /** A description of a pool in memory of this peer. */
    ByteBuffer offer(long context, int elements, int elementBytes, int reference) {
        return message(1, 77, 32)
                .putLong(context)
                .putLong(region.address())
                .putInt(region.key())
                .putInt(elements)
                .putInt(elementBytes)
                .putInt(reference);
    }
}
