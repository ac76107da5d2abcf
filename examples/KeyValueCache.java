/*
 * A key-value cache that clients read without the server's help.
 *
 * The server keeps a table of slots in registered memory, and tells each client the address and key of the table when the client connects. A GET is one
 * read of remote memory; no code of the server runs for it. The server changes values meanwhile: a slot has a check sum, by which a client notices that
 * it has read a slot in the middle of a change, and reads it again.
 *
 * README.md in this directory has the command that runs the program. Both ends are in one process here; nothing but the addresses would differ in two.
 */
import module org.verbena;
import java.util.zip.CRC32C;

static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0); // port 0: any that is free
static final int KEYS = 10_000;
static final int SLOT_BYTES = 128; // check sum, key, version, value
static final int GETS = 10_000;
static final int OUTSTANDING = 16; // reads under way at once
static final Duration PATIENCE = Duration.ofSeconds(30);

void main() throws Exception {
    try (Adapter serving = Adapter.open(LOOPBACK);
            Adapter asking = Adapter.open(LOOPBACK)) {
        MemorySegment slots = serving.arena().allocate((long) KEYS * SLOT_BYTES, 64);
        for (long key = 0; key < KEYS; key++) {
            put(slots, key, 0);
        }
        Region table = serving.register(slots, Right.REMOTE_READ); // because clients reach it
        try (Listener listener = serve(serving, table)) {
            AtomicBoolean over = new AtomicBoolean();
            Thread writer = Thread.ofPlatform().start(() -> changeValues(slots, over));
            try {
                new Client(asking, listener.address(), serving.endpoint().port()).get();
            } finally {
                over.set(true);
                writer.join();
            }
        }
    }
}

// --- server

/** Accepts every client, and tells it where the table is. */
Listener serve(Adapter adapter, Region table) {
    CompletionQueue completions = adapter.createCompletionQueue(16);
    return Listener.open(adapter, LOOPBACK, ListenerOptions.DEFAULT, request -> request.accept(
            adapter.createQueuePair(QueuePairOptions.of(completions)),
            AcceptOptions.DEFAULT.withMemory(RemoteMemory.of(table))));
}

void changeValues(MemorySegment slots, AtomicBoolean over) {
    for (long step = 0; !over.get(); step++) {
        put(slots, step % KEYS, 1 + step / KEYS);
        if (step % 64 == 0) {
            LockSupport.parkNanos(100_000); // leaves the processor to the others
        }
    }
}

static void put(MemorySegment slots, long key, long version) {
    ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES).putLong(0).putLong(key).putLong(version);
    slot.put(("value of key " + key + ", version " + version).getBytes());
    slot.putLong(0, checkSum(slot));
    MemorySegment.copy(MemorySegment.ofBuffer(slot.clear()), 0, slots, key * SLOT_BYTES, SLOT_BYTES);
}

static long checkSum(ByteBuffer slot) {
    CRC32C sum = new CRC32C();
    sum.update(slot.slice(8, SLOT_BYTES - 8));
    return sum.getValue();
}

// --- client

static class Client {
    final CompletionQueue completions;
    final QueuePair queuePair;
    final RemoteMemory table;
    final MemorySegment landing; // a slot for each read under way; own memory needs no registration
    final long[] keys = new long[OUTSTANDING];
    final Completions batch = new Completions(OUTSTANDING);

    Client(Adapter adapter, InetSocketAddress server, int udpPort) throws InterruptedException {
        completions = adapter.createCompletionQueue(OUTSTANDING);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
        table = Connector.connect(adapter, server, queuePair, ConnectorOptions.DEFAULT.withPeerPort(udpPort)).memory();
        landing = adapter.arena().allocate(OUTSTANDING * SLOT_BYTES);
    }

    void get() throws InterruptedException {
        long started = System.nanoTime();
        int begun = 0, right = 0, again = 0;
        for (int i = 0; i < OUTSTANDING; i++) {
            read(i, begun++ * 7L % KEYS);
        }
        while (right < GETS) {
            if (!completions.await(PATIENCE)) { // sleeps only if there is no completion yet
                throw new IllegalStateException("no answer for " + PATIENCE + " after " + right + " values");
            }
            completions.poll(batch); // takes all that are there: one call for many reads
            for (int i = 0; i < batch.size(); i++) {
                if (!batch.status(i).success()) {
                    throw new IllegalStateException("a read failed: " + batch.get(i));
                }
                int place = (int) batch.id(i);
                if (!isRight(place)) { // the server was writing this slot
                    again++;
                    read(place, keys[place]);
                } else if (++right + OUTSTANDING <= GETS) {
                    read(place, begun++ * 7L % KEYS);
                }
            }
        }
        long rate = GETS * 1_000_000_000L / (System.nanoTime() - started);
        IO.println("%,d values read, all right; %,d slots read again; %,d gets a second".formatted(right, again, rate));
    }

    void read(int place, long key) {
        keys[place] = key;
        MemorySegment slot = landing.asSlice((long) place * SLOT_BYTES, SLOT_BYTES);
        if (!queuePair.post(new WorkRequest.Read(place, slot, table.plus(key * SLOT_BYTES)))) {
            throw new IllegalStateException("the send queue is full");
        }
    }

    /** Whether the slot is whole; throws if it is, and has another value than the server wrote. */
    boolean isRight(int place) {
        ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
        MemorySegment.copy(landing, (long) place * SLOT_BYTES, MemorySegment.ofBuffer(slot), 0, SLOT_BYTES);
        if (slot.getLong(0) != checkSum(slot)) {
            return false;
        }
        String value = new String(slot.array(), 24, SLOT_BYTES - 24).trim();
        String expected = "value of key " + keys[place] + ", version " + slot.getLong(16);
        if (!value.equals(expected)) {
            throw new IllegalStateException("\"" + expected + "\" expected; read \"" + value + "\"");
        }
        return true;
    }
}
