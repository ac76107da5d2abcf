/*
 * Copies a file into a file of another process by remote writes: no buffer, no copy loop, no read or write call for the data.
 *
 * The receiver maps the target file, registers the mapping, because a peer writes into it, and tells the sender its address and key. The sender maps
 * the source file and writes from one mapping into the other, a few blocks at a time. The last write carries a number, which completes a receive of the
 * receiver: the file is there.
 *
 *   FileCopier.java [SOURCE TARGET]      without arguments: 32 MiB of chance, copied between temporary files and compared
 */
import module org.verbena;

static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0); // port 0: any that is free
static final int BLOCK_BYTES = 1 << 20;
static final int OUTSTANDING = 8; // writes under way at once
static final Duration PATIENCE = Duration.ofSeconds(30);

void main(String[] args) throws Exception {
    Path source = args.length == 2 ? Path.of(args[0]) : temporaryFile(32 << 20);
    Path target = args.length == 2 ? Path.of(args[1]) : temporaryFile(0);
    try (Adapter receiving = Adapter.open(LOOPBACK);
            Adapter sending = Adapter.open(LOOPBACK);
            Receiver receiver = new Receiver(receiving, target, Files.size(source))) {
        long started = System.nanoTime();
        send(sending, receiver.listener.address(), receiving.endpoint().port(), source);
        receiver.awaitFile();
        double seconds = (System.nanoTime() - started) / 1e9;
        if (Files.mismatch(source, target) >= 0) {
            throw new IllegalStateException(target + " differs from " + source);
        }
        IO.println("%,d bytes copied, both files are equal; %,.0f MB/s".formatted(
                Files.size(target), Files.size(target) / seconds / 1e6));
    } finally {
        if (args.length == 0) {
            Files.delete(source);
            Files.delete(target);
        }
    }
}

static Path temporaryFile(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    return Files.write(Files.createTempFile("copier", null), content);
}

static class Receiver implements AutoCloseable {
    final Arena arena = Arena.ofShared();
    final CompletionQueue completions;
    final Listener listener;

    Receiver(Adapter adapter, Path target, long bytes) throws IOException {
        MemorySegment mapped;
        try (FileChannel file = FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            mapped = file.truncate(0).map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
        Region region = adapter.register(mapped, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
        completions = adapter.createCompletionQueue(16);
        listener = Listener.open(adapter, LOOPBACK, ListenerOptions.DEFAULT, request -> {
            QueuePair queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
            queuePair.initialize(EnumSet.of(Right.REMOTE_WRITE));
            require(queuePair.post(new WorkRequest.Receive(1))); // the last write completes it
            request.accept(queuePair, AcceptOptions.DEFAULT.withMemory(RemoteMemory.of(region)));
        });
    }

    void awaitFile() throws InterruptedException {
        check(completions.poll(PATIENCE));
    }

    @Override
    public void close() {
        listener.close();
        arena.close(); // from now on a write of the sender would be refused
    }
}

static void send(Adapter adapter, InetSocketAddress to, int udpPort, Path source) throws IOException, InterruptedException {
    try (Arena arena = adapter.arena();
            FileChannel file = FileChannel.open(source)) {
        long bytes = file.size();
        MemorySegment mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena); // needs no registration
        CompletionQueue completions = adapter.createCompletionQueue(OUTSTANDING + 1);
        QueuePair queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
        RemoteMemory target = Connector.connect(adapter, to, queuePair, ConnectorOptions.DEFAULT.withPeerPort(udpPort)).memory();

        int underWay = 0;
        for (long at = 0; at < bytes; at += BLOCK_BYTES, underWay++) {
            if (underWay == OUTSTANDING) {
                check(completions.poll(PATIENCE));
                underWay--;
            }
            long length = Math.min(BLOCK_BYTES, bytes - at);
            require(queuePair.post(new WorkRequest.Write(at, mapped.asSlice(at, length), target.plus(at))));
        }
        // Writes of a queue pair arrive in order: the receiver is told after the last byte, and nothing waits here for that.
        require(queuePair.post(new WorkRequest.WriteWithImmediate(-1, Payload.NOTHING, target, 0, SendOptions.SIGNALLED)));
        for (underWay++; underWay > 0; underWay--) {
            check(completions.poll(PATIENCE));
        }
    }
}

static void check(Completion completion) {
    if (completion == null || !completion.status().success()) {
        throw new IllegalStateException("a request failed: " + completion);
    }
}

/** A queue that is full would be a mistake here: the program counts the requests that are under way. */
static void require(boolean posted) {
    if (!posted) {
        throw new IllegalStateException("the queue is full");
    }
}
