/*
 * 200 virtual threads that ask a server, each as if it were alone.
 *
 * All threads share one connection. A request channel gives each request a number, and wakes the thread whose answer has come; a request server calls a
 * handler for each request. Buffers, receives and completions are theirs. The server answers with the square of the number, and refuses negative ones.
 */
import module org.verbena;

static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0); // port 0: any that is free
static final MessageOptions OPTIONS = MessageOptions.DEFAULT;
static final int THREADS = 200;
static final int REQUESTS = 20; // of each thread
static final Duration PATIENCE = Duration.ofSeconds(30);

void main() throws Exception {
    try (Adapter serving = Adapter.open(LOOPBACK);
            Adapter asking = Adapter.open(LOOPBACK);
            Listener listener = Listener.open(serving, LOOPBACK, ListenerOptions.DEFAULT)) {
        Thread server = Thread.ofPlatform().start(() -> serve(serving, listener));
        QueuePair queuePair = MessageChannel.createQueuePair(asking, OPTIONS);
        Connector.connect(asking, listener.address(), queuePair, ConnectorOptions.DEFAULT.withPeerPort(serving.endpoint().port()));
        try (RequestChannel channel = RequestChannel.over(queuePair, OPTIONS)) {
            ask(channel);
            try {
                square(channel, -1);
                throw new IllegalStateException("a request that the server refuses was answered");
            } catch (RemoteRequestException expected) {
                IO.println("the server refuses -1: " + expected.getMessage());
            }
        }
        server.join(); // the client has closed the channel: the server ends
    }
}

// --- server

/** Answers one client until it closes its channel. Each request has a virtual thread, so the handler may wait. */
static void serve(Adapter adapter, Listener listener) {
    try {
        QueuePair queuePair = MessageChannel.createQueuePair(adapter, OPTIONS);
        listener.accept(PATIENCE).accept(queuePair, AcceptOptions.DEFAULT);
        try (RequestServer server = RequestServer.over(queuePair, OPTIONS, request -> answer(request))) {
            server.whenEnded().join();
        }
    } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
    }
}

static ByteBuffer answer(ByteBuffer request) {
    long number = request.getLong();
    if (number < 0) {
        throw new IllegalArgumentException("no squares of negative numbers");
    }
    return ByteBuffer.allocate(8).putLong(number * number).flip();
}

// --- client

static void ask(RequestChannel channel) {
    LongAdder right = new LongAdder();
    long started = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int thread = 0; thread < THREADS; thread++) {
            long first = (long) thread * REQUESTS;
            threads.submit(() -> {
                for (long number = first; number < first + REQUESTS; number++) {
                    right.add(square(channel, number) == number * number ? 1 : 0);
                }
                return null;
            });
        }
    }
    long rate = right.sum() * 1_000_000_000L / (System.nanoTime() - started);
    if (right.sum() != THREADS * REQUESTS) {
        throw new IllegalStateException(right + " right answers, " + THREADS * REQUESTS + " expected");
    }
    IO.println("%,d answers to %d virtual threads, all right; %,d a second".formatted(right.sum(), THREADS, rate));
}

/** Asks the server; waits for the answer, as long as it is patient. */
static long square(RequestChannel channel, long number) throws InterruptedException, TimeoutException {
    return channel.call(ByteBuffer.allocate(8).putLong(number).flip(), PATIENCE).getLong();
}
