package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.EnumSet;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.memory.Region;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Copies a file: the client maps it, registers the mapping, and writes a mebibyte at a time into one of 16 slots of the server, with
 * the length as immediate, so that the file is read while earlier parts are on their way. The server puts the slot into its file and
 * tells by an empty message that the slot is free. The argument of its own is the size of the file in bytes.
 */
public final class FileCopy {
    private static final int SLOTS = 16;
    private static final int SLOT = 1 << 20;

    private final VerbenaEnd end = new VerbenaEnd();

    private FileCopy() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        FileCopy program = new FileCopy();
        try (VerbenaEnd _ = program.end) {
            if (arguments.server()) {
                program.serve(Control.accept(arguments.port(), 1).getFirst());
            } else {
                program.copy(Control.connect(arguments.port()), arguments, out);
            }
        }
    }

    private void serve(Control client) throws IOException, InterruptedException {
        try (client) {
            connect(client);
            Receiver receiver = new Receiver();
            client.send(RemoteMemory.of(receiver.region));
            Copies.serve(client, receiver);
        }
    }

    private void copy(Control server, Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        try (server) {
            connect(server);
            RemoteMemory target = server.receiveMemory();
            Copies.measure(server, new Sender(target), arguments, out);
        }
    }

    /** Connects with a receive for each slot. */
    private void connect(Control other) throws IOException {
        end.connect(other);
        for (int slot = 0; slot < SLOTS; slot++) {
            postReceive();
        }
        other.meet();
    }

    /** A receive without memory: for immediate data and for empty messages. */
    private void postReceive() {
        VerbenaEnd.require(end.queuePair.post(new WorkRequest.Receive(0)));
    }

    /** The client's side. Slots take turns at both ends. */
    private final class Sender implements Copies.Mover {
        private final RemoteMemory target;
        /** Of each slot: its write has no completion yet, the server has not freed it yet. */
        private final int[] pending = new int[SLOTS];

        private int next;
        private int freed;

        private Sender(RemoteMemory target) {
            this.target = target;
        }

        @Override
        public void move(FileChannel file, long size) throws IOException, InterruptedException {
            try (Arena arena = Arena.ofShared();
                    Region source = end.adapter.register(
                            end.domain,
                            file.map(FileChannel.MapMode.READ_ONLY, 0, size, arena),
                            EnumSet.of(Right.LOCAL_READ))) {
                for (long offset = 0; offset < size; offset += SLOT) {
                    awaitFree(next);
                    write(LocalSegment.of(source, offset, Math.min(SLOT, size - offset)), next);
                    next = (next + 1) % SLOTS;
                }
                for (int slot = 0; slot < SLOTS; slot++) {
                    awaitFree(slot);
                }
            }
        }

        private void write(LocalSegment part, int slot) {
            pending[slot] = 2;
            VerbenaEnd.require(end.queuePair.post(new WorkRequest.WriteWithImmediate(
                    slot,
                    Payload.of(part),
                    target.plus((long) slot * SLOT),
                    (int) part.length(),
                    SendOptions.SIGNALLED)));
        }

        private void awaitFree(int slot) throws InterruptedException {
            while (pending[slot] > 0) {
                Completion completion = VerbenaEnd.await(end.completions);
                if (completion.operation() == Operation.RECEIVE) {
                    postReceive();
                    pending[freed]--;
                    freed = (freed + 1) % SLOTS;
                } else {
                    pending[(int) completion.id()]--;
                }
            }
        }
    }

    /** The server's side. */
    private final class Receiver implements Copies.Mover {
        private final MemorySegment memory = end.allocate((long) SLOTS * SLOT);
        private final Region region = end.register(memory, Right.REMOTE_WRITE);
        private int next;

        @Override
        public void move(FileChannel file, long size) throws IOException, InterruptedException {
            while (file.position() < size) {
                Completion completion = VerbenaEnd.await(end.completions);
                Integer length = completion.immediate();
                if (length == null) {
                    continue; // a message to the client has arrived
                }
                ByteBuffer bytes = memory.asSlice((long) next * SLOT, length).asByteBuffer();
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                next = (next + 1) % SLOTS;
                postReceive();
                VerbenaEnd.require(end.queuePair.post(new WorkRequest.Send(0)));
            }
        }
    }
}
