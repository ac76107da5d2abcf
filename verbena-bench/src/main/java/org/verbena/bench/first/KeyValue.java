package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.verbena.Right;
import org.verbena.memory.Region;
import org.verbena.verbs.Completions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Values fetched by one-sided reads: the server registers its table, two clients read from it at random keys, 16 reads outstanding
 * each. Every value begins with its key, which is checked.
 */
public final class KeyValue {
    private final VerbenaEnd end = new VerbenaEnd();

    private KeyValue() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        KeyValue program = new KeyValue();
        try (VerbenaEnd _ = program.end) {
            if (arguments.server()) {
                program.serve(arguments.port());
            } else {
                program.get(arguments, out);
            }
        }
    }

    private void serve(int port) throws IOException, InterruptedException {
        MemorySegment table = end.allocate((long) Table.KEYS * Table.VALUE_SIZE);
        for (int key = 0; key < Table.KEYS; key++) {
            table.set(ValueLayout.JAVA_LONG, (long) key * Table.VALUE_SIZE, key);
        }
        Region region = end.register(table, Right.REMOTE_READ);
        Table.serve(port, client -> {
            QueuePair queuePair = end.adapter.createQueuePair(QueuePairOptions.of(end.domain, end.completions));
            client.connect(queuePair);
            client.send(RemoteMemory.of(region));
        });
    }

    private void get(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        try (Control server = Control.connect(arguments.port())) {
            end.connect(server);
            RemoteMemory table = server.receiveMemory();
            Table.measure(new Client(end, table), arguments, server, out);
        }
    }

    /** A slot for each outstanding read. */
    private static final class Client implements Table.Getter {
        private final VerbenaEnd end;
        private final RemoteMemory table;
        private final MemorySegment values;
        /** Where the value of each outstanding read goes: prepared once. */
        private final List<List<LocalSegment>> slots = new ArrayList<>();

        private final long[] keys = new long[Table.OUTSTANDING];
        private final Completions done = new Completions(Table.OUTSTANDING);
        private boolean begun;

        Client(VerbenaEnd end, RemoteMemory table) {
            this.end = end;
            this.table = table;
            values = end.allocate((long) Table.OUTSTANDING * Table.VALUE_SIZE);
            Region region = end.register(values);
            for (int slot = 0; slot < Table.OUTSTANDING; slot++) {
                slots.add(List.of(LocalSegment.of(region, (long) slot * Table.VALUE_SIZE, Table.VALUE_SIZE)));
            }
        }

        /** Takes the values that have come and asks for as many others: 16 reads stay outstanding. */
        @Override
        public int get() throws InterruptedException {
            if (!begun) {
                begun = true;
                for (int slot = 0; slot < Table.OUTSTANDING; slot++) {
                    post(slot);
                }
            }
            end.await(done);
            for (int i = 0; i < done.size(); i++) {
                int slot = (int) done.id(i);
                Table.check(keys[slot], values.get(ValueLayout.JAVA_LONG, (long) slot * Table.VALUE_SIZE));
                post(slot);
            }
            return done.size();
        }

        private void post(int slot) {
            int key = ThreadLocalRandom.current().nextInt(Table.KEYS);
            keys[slot] = key;
            VerbenaEnd.require(end.queuePair.post(new WorkRequest.Read(
                    slot, slots.get(slot), table.plus((long) key * Table.VALUE_SIZE), SendOptions.SIGNALLED)));
        }
    }
}
