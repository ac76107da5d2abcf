/*
 * 200 virtual threads that ask a server, each as if it were alone.
 *
 * All threads share one connection. A thread takes a free slot, posts its request with the number of the slot, and waits for a future. One platform thread
 * polls the completion queue, and completes the future of the slot that an answer names. The server answers with the square of the number.
 */
import module org.verbena;

static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0); // port 0: any that is free
static final int THREADS = 200;
static final int REQUESTS = 20; // of each thread
static final int SLOTS = 64; // requests under way at once
static final int MESSAGE_BYTES = 16; // slot, number
static final Duration PATIENCE = Duration.ofSeconds(30);

void main() throws Exception {
    try (Adapter serving = Adapter.open(LOOPBACK);
            Adapter asking = Adapter.open(LOOPBACK);
            Arena arena = Arena.ofShared();
            Listener listener = Listener.open(serving, LOOPBACK, ListenerOptions.DEFAULT)) {
        End server = new End(serving, arena);
        Thread answering = Thread.ofPlatform().start(() -> serve(listener, server));
        Client client = new Client(new End(asking, arena));
        Connection connection = Connector.connect(
                asking, listener.address(), client.end.queuePair, ConnectorOptions.DEFAULT.withPeerPort(serving.endpoint().port()));
        Thread taking = Thread.ofPlatform().start(client::takeAnswers);

        LongAdder right = new LongAdder();
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < THREADS; thread++) {
                long first = (long) thread * REQUESTS;
                threads.submit(() -> {
                    for (long number = first; number < first + REQUESTS; number++) {
                        right.add(client.ask(number) == number * number ? 1 : 0);
                    }
                    return null;
                });
            }
        }
        long rate = right.sum() * 1_000_000_000L / (System.nanoTime() - started);
        connection.disconnect(); // ends both loops: their receives complete as flushed
        answering.join();
        taking.join();
        if (right.sum() != THREADS * REQUESTS) {
            throw new IllegalStateException(right + " right answers, " + THREADS * REQUESTS + " expected");
        }
        IO.println("%,d answers to %d virtual threads, all right; %,d a second".formatted(right.sum(), THREADS, rate));
    }
}

/** One end of the connection: a queue pair, and a receive for each request that can be under way. */
static class End {
    final CompletionQueue completions;
    final QueuePair queuePair;
    final MemorySegment memory;
    final WorkRequest.Receive[] receives = new WorkRequest.Receive[SLOTS];

    End(Adapter adapter, Arena arena) {
        memory = arena.allocate(SLOTS * MESSAGE_BYTES, 8);
        Region region = adapter.register(memory, Right.LOCAL_WRITE);
        completions = adapter.createCompletionQueue(4 * SLOTS);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
        queuePair.initialize(EnumSet.noneOf(Right.class)); // the peer may send, and neither read nor write memory
        for (int i = 0; i < SLOTS; i++) {
            receives[i] = new WorkRequest.Receive(i, LocalSegment.of(region, i * MESSAGE_BYTES, MESSAGE_BYTES));
            require(queuePair.post(receives[i]));
        }
    }

    synchronized void send(long slot, long number) {
        byte[] message = ByteBuffer.allocate(MESSAGE_BYTES).order(ByteOrder.nativeOrder()).putLong(slot).putLong(number).array();
        require(queuePair.post(new WorkRequest.Send(slot, Payload.inline(message), SendOptions.SIGNALLED)));
    }

    /** Gives each message that arrives to the action, as slot and number, until the connection is over. */
    void takeMessages(BiConsumer<Long, Long> action) {
        try {
            Completion done = completions.poll(PATIENCE);
            while (done != null && done.status().success()) {
                if (done.operation() == Operation.RECEIVE) {
                    long at = done.id() * MESSAGE_BYTES;
                    long slot = memory.get(ValueLayout.JAVA_LONG, at);
                    long number = memory.get(ValueLayout.JAVA_LONG, at + 8);
                    require(queuePair.post(receives[(int) done.id()])); // before the answer: the peer may use the slot again at once
                    action.accept(slot, number);
                }
                done = completions.poll(PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

static void serve(Listener listener, End server) {
    try {
        listener.accept(PATIENCE).accept(server.queuePair, AcceptOptions.DEFAULT);
        server.takeMessages((slot, number) -> server.send(slot, number * number));
    } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
    }
}

static class Client {
    final End end;
    final BlockingQueue<Integer> free = new ArrayBlockingQueue<>(SLOTS);
    final AtomicReferenceArray<CompletableFuture<Long>> answers = new AtomicReferenceArray<>(SLOTS);

    Client(End end) {
        this.end = end;
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
    }

    long ask(long number) throws Exception {
        int slot = free.take();
        CompletableFuture<Long> answer = new CompletableFuture<>();
        answers.set(slot, answer);
        end.send(slot, number);
        long square = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        free.add(slot);
        return square;
    }

    void takeAnswers() {
        end.takeMessages((slot, square) -> answers.get(slot.intValue()).complete(square));
    }
}

/** A queue that is full would be a mistake here: the program counts the requests that are under way. */
static void require(boolean posted) {
    if (!posted) {
        throw new IllegalStateException("the queue is full");
    }
}
