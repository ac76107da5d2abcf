/*
 * Tickets and a lock in the memory of one process, used by others through remote atomics.
 *
 * The owner registers 24 bytes: a ticket counter, a lock word, and a balance. Each client draws tickets by fetch-add, which gives no number twice. It
 * takes the lock by compare-and-swap, reads the balance, adds one, writes it back, and gives the lock back. The owner's program does nothing meanwhile.
 */
import module org.verbena;

static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0); // port 0: any that is free
static final int CLIENTS = 4;
static final int ROUNDS = 100;
static final long TICKET = 0, LOCK = 8, BALANCE = 16; // offsets
static final long FREE = 0;

void main() throws Exception {
    try (Adapter owning = Adapter.open(LOOPBACK);
            Adapter asking = Adapter.open(LOOPBACK)) {
        MemorySegment words = owning.arena().allocate(24, 8); // freed with the adapter; registered, because clients reach it
        Region region = owning.register(words, Right.LOCAL_WRITE, Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC);
        CompletionQueue completions = owning.createCompletionQueue(16);
        Set<Long> tickets = ConcurrentHashMap.newKeySet();
        try (Listener listener = Listener.open(owning, LOOPBACK, ListenerOptions.DEFAULT, request -> request.accept(
                        owning.createQueuePair(QueuePairOptions.of(completions)),
                        AcceptOptions.DEFAULT.withMemory(RemoteMemory.of(region))));
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 1; i <= CLIENTS; i++) {
                Client client = new Client(i, asking, listener.address(), owning.endpoint().port());
                clients.add(threads.submit(() -> client.run(tickets)));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
        long drawn = words.get(ValueLayout.JAVA_LONG, TICKET);
        long balance = words.get(ValueLayout.JAVA_LONG, BALANCE);
        if (tickets.size() != CLIENTS * ROUNDS || drawn != CLIENTS * ROUNDS || balance != CLIENTS * ROUNDS) {
            throw new IllegalStateException(tickets.size() + " different tickets, " + drawn + " drawn, balance " + balance);
        }
        IO.println("%,d tickets, no number twice; balance %,d after as many changes under the lock".formatted(drawn, balance));
    }
}

static class Client {
    final long name;
    final CompletionQueue completions;
    final QueuePair queuePair;
    final RemoteMemory words;
    final MemorySegment result; // values from before an atomic, and the balance; own memory needs no registration

    Client(long name, Adapter adapter, InetSocketAddress owner, int udpPort) throws InterruptedException {
        this.name = name;
        completions = adapter.createCompletionQueue(16);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
        words = Connector.connect(adapter, owner, queuePair, ConnectorOptions.DEFAULT.withPeerPort(udpPort)).memory();
        result = adapter.arena().allocate(8, 8);
    }

    Void run(Set<Long> tickets) throws InterruptedException {
        var draw = new WorkRequest.FetchAdd(1, result, words.plus(TICKET), 1);
        var lock = new WorkRequest.CompareSwap(2, result, words.plus(LOCK), FREE, name);
        var read = new WorkRequest.Read(3, result, words.plus(BALANCE));
        var write = new WorkRequest.Write(4, result, words.plus(BALANCE));
        var unlock = new WorkRequest.AtomicWrite(5, FREE, words.plus(LOCK), SendOptions.SIGNALLED);
        for (int i = 0; i < ROUNDS; i++) {
            tickets.add(execute(draw));
            while (execute(lock) != FREE) {
                Thread.yield(); // another client has it
            }
            long balance = execute(read);
            result.set(ValueLayout.JAVA_LONG, 0, balance + 1);
            execute(write);
            execute(unlock);
        }
        return null;
    }

    /** Posts a request and waits for it; the value that it brought. */
    long execute(WorkRequest.Sending request) throws InterruptedException {
        require(queuePair.post(request));
        Completion done = completions.poll(Duration.ofSeconds(30));
        if (done == null || !done.status().success()) {
            throw new IllegalStateException(request + " failed: " + done);
        }
        return result.get(ValueLayout.JAVA_LONG, 0);
    }
}

/** A queue that is full would be a mistake here: the program counts the requests that are under way. */
static void require(boolean posted) {
    if (!posted) {
        throw new IllegalStateException("the queue is full");
    }
}
