package org.verbena.verbs;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.Doorbell;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;

/**
 * The consumer of {@link MappedRingsTest}, in a process of its own. It has a mapped file and some numbers, and no adapter:
 * it posts and polls through the file, and ends with an exception if anything is not as it must be.
 */
final class MappedConsumer {
    static final int ROUNDS = 300;
    /** Word of the data area that counts how often this side woke the engine. */
    static final long WOKEN = 0;

    private static final int OUT = 4096;
    private static final int IN = 16 << 10;
    private static final int LENGTH_MAX = 8000;

    private final MemorySegment data;
    private final long dataAddress;
    private final int dataKey;
    private final RemoteMemory remote;
    private final Ring sends;
    private final CompletionRing completions;
    private final WorkPoster poster;
    private final Completions one = new Completions(1);

    private MappedConsumer(MemorySegment file, long[] numbers) {
        int at = 0;
        this.data = file.asSlice(numbers[at++]);
        Doorbell doorbell = Doorbell.attach(file.asSlice(numbers[at++]), this::wakeEngine);
        this.completions = CompletionRing.attach(file.asSlice(numbers[at++]));
        this.sends = Ring.attach(file.asSlice(numbers[at++]), RingKind.SEND);
        Ring receives = Ring.attach(file.asSlice(numbers[at++]), RingKind.RECEIVE);
        int queuePair = (int) numbers[at++];
        this.dataAddress = numbers[at++];
        this.dataKey = (int) numbers[at++];
        this.remote = new RemoteMemory(numbers[at++], (int) numbers[at]);
        PostRules rules = new PostRules(Service.RC, 4, 64, null, false);
        this.poster = new WorkPoster(
                queuePair, sends, receives, doorbell, rules, PostMemory.ofRegions(), PostMemory.ofRegions());
    }

    /** The file, then the numbers, in the order of the constructor. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path path = Path.of(arguments[0]);
        long[] numbers =
                Arrays.stream(arguments).skip(1).mapToLong(Long::parseLong).toArray();
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size(), arena);
            new MappedConsumer(mapped, numbers).run();
        }
        System.out.println("passed " + ROUNDS + " rounds");
    }

    private void wakeEngine() {
        data.set(ValueLayout.JAVA_LONG, WOKEN, data.get(ValueLayout.JAVA_LONG, WOKEN) + 1);
    }

    private void run() throws InterruptedException {
        require(QueuePairState.READY_TO_SEND, sends.state());
        for (int round = 0; round < ROUNDS; round++) {
            echo(round);
        }
        writeReadAdd();
        fail();
    }

    private LocalSegment segment(long offset, long length) {
        return new LocalSegment(dataAddress + offset, length, dataKey);
    }

    /** A message there and back; the peer sends what it receives. */
    private void echo(int round) throws InterruptedException {
        int length = 1 + round * 7919 % LENGTH_MAX;
        for (int i = 0; i < length; i++) {
            data.set(ValueLayout.JAVA_BYTE, OUT + i, (byte) (round + i * 31));
        }
        data.asSlice(IN, LENGTH_MAX).fill((byte) 0);
        post(new WorkRequest.Receive(2L * round, segment(IN, LENGTH_MAX)));
        require(true, poster.post(new WorkRequest.Send(2L * round + 1, segment(OUT, length))));
        boolean sent = false;
        boolean received = false;
        while (!sent || !received) {
            Completion completion = next(round % 2 == 1);
            require(Status.SUCCESS, completion.status());
            if (completion.operation() == Operation.RECEIVE) {
                require(2L * round, completion.id());
                require((long) length, completion.byteLength());
                received = true;
            } else {
                require(2L * round + 1, completion.id());
                sent = true;
            }
        }
        require(-1L, data.asSlice(OUT, length).mismatch(data.asSlice(IN, length)));
    }

    private void writeReadAdd() throws InterruptedException {
        byte[] eight = {1, 2, 3, 4, 5, 6, 7, 8};
        require(true, poster.post(new WorkRequest.Write(1, Payload.inline(eight), remote, SendOptions.UNSIGNALLED)));
        LocalSegment in = segment(IN, 8);
        require(true, poster.post(new WorkRequest.FetchAdd(2, in, remote, 1, SendOptions.SIGNALLED)));
        Completion added = next(true);
        require(Operation.FETCH_ADD, added.operation());
        require(-1, Arrays.mismatch(eight, data.asSlice(IN, 8).toArray(ValueLayout.JAVA_BYTE)));
        require(true, poster.post(new WorkRequest.Read(3, List.of(in), remote, SendOptions.SIGNALLED)));
        Completion read = next(false);
        require(Operation.READ, read.operation());
        require(8L, read.byteLength());
        require((byte) 2, data.get(ValueLayout.JAVA_BYTE, IN));
    }

    /** A key that is none fails the queue pair; the state and the flushed requests reach this process. */
    private void fail() throws InterruptedException {
        require(true, poster.post(new WorkRequest.Send(77, new LocalSegment(dataAddress, 8, dataKey ^ 0x5500))));
        Completion failed = next(false);
        require(77L, failed.id());
        require(Status.LOCAL_PROTECTION_ERROR, failed.status());
        require(false, failed.detail() == Verdict.GRANTED);
        while (sends.state() != QueuePairState.ERROR) {
            Thread.sleep(1); // the engine completes the request first, then changes the state
        }
        post(new WorkRequest.Receive(78, segment(IN, 8)));
        Completion flushed = next(true);
        require(78L, flushed.id());
        require(Status.FLUSHED, flushed.status());
    }

    private void post(WorkRequest.Receive receive) {
        require(true, poster.post(receive));
    }

    /** The next completion; {@code arming} asks to be told, and looks at nothing but the wish until then. */
    private Completion next(boolean arming) throws InterruptedException {
        while (one.fill(completions) == 0) {
            if (arming && completions.armUnlessFilled(CompletionRing.ARMED_ANY)) {
                while (completions.armed()) {
                    Thread.sleep(1);
                }
            } else {
                Thread.onSpinWait();
            }
            completions.disarm();
        }
        return one.get(0);
    }

    private static void require(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }
}
