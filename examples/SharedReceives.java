/*
 * A server with 64 connections and one pool of receive buffers.
 *
 * With a receive queue for each connection, a server posts buffers for the busiest moment of each of them. Here all connections take from one shared
 * receive queue: 256 buffers serve 64 clients, and one thread polls one completion queue for all. A completion names the queue pair it is from.
 */
import module org.verbena;

static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0); // port 0: any that is free
static final int CLIENTS = 64;
static final int MESSAGES = 200; // of each client
static final int MESSAGE_BYTES = 64;
static final int BUFFERS = 256;
static final Duration PATIENCE = Duration.ofSeconds(30);

void main() throws Exception {
    try (Adapter serving = Adapter.open(LOOPBACK);
            Adapter sending = Adapter.open(LOOPBACK);
            Server server = new Server(serving)) {
        Thread clients = Thread.ofPlatform().start(() -> runClients(sending, server.listener.address(), serving.endpoint().port()));
        long started = System.nanoTime();
        server.takeAll();
        long rate = CLIENTS * MESSAGES * 1_000_000_000L / (System.nanoTime() - started);
        clients.join();
        IO.println("%,d messages of %d connections in %d buffers, each in order; %,d messages a second"
                .formatted(CLIENTS * MESSAGES, CLIENTS, BUFFERS, rate));
    }
}

static class Server implements AutoCloseable {
    final MemorySegment memory; // needs no registration
    final SharedReceiveQueue receives;
    final CompletionQueue completions;
    final Listener listener;
    final WorkRequest.Receive[] buffers = new WorkRequest.Receive[BUFFERS]; // made once, posted again and again

    Server(Adapter adapter) {
        memory = adapter.arena().allocate((long) BUFFERS * MESSAGE_BYTES);
        receives = adapter.createSharedReceiveQueue(BUFFERS, 1);
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = new WorkRequest.Receive(i, memory.asSlice((long) i * MESSAGE_BYTES, MESSAGE_BYTES));
            require(receives.post(buffers[i]));
        }
        completions = adapter.createCompletionQueue(2 * BUFFERS);
        QueuePairOptions options = QueuePairOptions.of(completions).withSharedReceives(receives);
        listener = Listener.open(adapter, LOOPBACK, ListenerOptions.DEFAULT,
                request -> request.accept(adapter.createQueuePair(options), AcceptOptions.DEFAULT));
    }

    /** Takes the messages of all clients; throws if one is missing, or not in its client's order. */
    void takeAll() throws InterruptedException {
        Map<Integer, Integer> clientOf = new HashMap<>(); // by queue pair
        int[] next = new int[CLIENTS];
        Completions batch = new Completions(64);
        for (int taken = 0; taken < CLIENTS * MESSAGES; ) {
            if (!completions.await(PATIENCE)) {
                throw new IllegalStateException("no message for " + PATIENCE + " after " + taken);
            }
            taken += completions.poll(batch);
            for (int i = 0; i < batch.size(); i++) {
                int buffer = (int) batch.id(i);
                int client = memory.get(ValueLayout.JAVA_INT, (long) buffer * MESSAGE_BYTES);
                int number = memory.get(ValueLayout.JAVA_INT, (long) buffer * MESSAGE_BYTES + 4);
                boolean expected = batch.status(i).success()
                        && clientOf.computeIfAbsent(batch.queuePair(i), _ -> client) == client
                        && number == next[client]++;
                if (!expected) {
                    throw new IllegalStateException(batch.get(i) + ": message " + number + " of client " + client);
                }
                require(receives.post(buffers[buffer]));
            }
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}

/** 64 clients, in turn on one thread: each has a queue pair of its own and sends its messages one after the other. */
static void runClients(Adapter adapter, InetSocketAddress server, int udpPort) {
    try {
        CompletionQueue completions = adapter.createCompletionQueue(2 * CLIENTS);
        QueuePair[] queuePairs = new QueuePair[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            queuePairs[i] = adapter.createQueuePair(QueuePairOptions.of(completions).withCapacity(16, 1));
            Connector.connect(adapter, server, queuePairs[i], ConnectorOptions.DEFAULT.withPeerPort(udpPort));
        }
        ByteBuffer message = ByteBuffer.allocate(MESSAGE_BYTES).order(ByteOrder.nativeOrder());
        for (int number = 0; number < MESSAGES; number++) {
            for (int i = 0; i < CLIENTS; i++) {
                // Inline data are copied by the post: the array is free again at once.
                message.putInt(0, i).putInt(4, number);
                require(queuePairs[i].post(new WorkRequest.Send(i, Payload.inline(message.array()), SendOptions.SIGNALLED)));
            }
            for (int i = 0; i < CLIENTS; i++) {
                Completion sent = completions.poll(PATIENCE);
                if (sent == null || !sent.status().success()) {
                    throw new IllegalStateException("a send failed: " + sent);
                }
            }
        }
    } catch (InterruptedException e) {
        throw new IllegalStateException(e);
    }
}

/** A queue that is full would be a mistake here: the program counts the requests that are under way. */
static void require(boolean posted) {
    if (!posted) {
        throw new IllegalStateException("the queue is full");
    }
}
