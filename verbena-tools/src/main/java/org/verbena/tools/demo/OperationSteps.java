package org.verbena.tools.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.RegistrationCounts;
import org.verbena.memory.RegistrationTable;
import org.verbena.memory.Window;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Every operation once, from the left end to the right one; each step throws {@link Wrong} if anything is. */
final class OperationSteps {
    private static final int MIB = 1 << 20;
    private static final Set<Right> READ_WRITE = EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE);

    /** One step: its name, and its action. */
    record Step(String name, Runnable action) {}

    private final DemoEnd left;
    private final DemoEnd right;

    OperationSteps(DemoEnd left, DemoEnd right) {
        this.left = left;
        this.right = right;
    }

    List<Step> all() {
        return List.of(
                new Step("send, gathered from 3 places, scattered to 2", this::send),
                new Step("send with immediate, inline", this::sendWithImmediate),
                new Step("send of nothing", this::sendNothing),
                new Step("write 1 MiB", this::write),
                new Step("write with immediate", this::writeWithImmediate),
                new Step("read 1 MiB", this::read),
                new Step("fetch-add, ten times", this::fetchAdd),
                new Step("compare-swap, once in vain", this::compareSwap),
                new Step("any buffer: registered once, found again", this::anyBuffer),
                new Step("register through the queue, then invalidate", this::register),
                new Step("window of type 1: bind, write, read, unbind", this::windowOfType1),
                new Step("window of type 2: bind, send with invalidate", this::windowOfType2),
                new Step("write with a stale key is refused", this::staleKey),
                new Step("connect again and go on", this::connectAgain));
    }

    private void send() {
        left.fill(0, 10_000, 1);
        right.post(new WorkRequest.Receive(0, right.segment(0, 3_000), right.segment(50_000, 9_000)));
        left.post(new WorkRequest.Send(0, left.segment(0, 1), left.segment(1, 4_999), left.segment(5_000, 5_000)));
        left.done(Operation.SEND);
        Wrong.unless(right.done(Operation.RECEIVE).byteLength() == 10_000, "the length of the message");
        right.expectSame(0, left, 0, 3_000);
        right.expectSame(50_000, left, 3_000, 7_000);
    }

    private void sendWithImmediate() {
        byte[] bytes = "in the request itself".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        right.post(new WorkRequest.Receive(0, right.segment(0, 64)));
        left.post(new WorkRequest.SendWithImmediate(0, Payload.inline(bytes), 0xcafe, SendOptions.SIGNALLED));
        left.done(Operation.SEND_WITH_IMMEDIATE);
        Completion received = right.done(Operation.RECEIVE);
        Wrong.unless(Objects.equals(received.immediate(), 0xcafe), "the immediate is " + received.immediate());
        Wrong.unless(right.holds(0, bytes), "the bytes");
    }

    private void sendNothing() {
        right.post(new WorkRequest.Receive(0));
        left.post(new WorkRequest.Send(0, Payload.NOTHING, SendOptions.SIGNALLED));
        left.done(Operation.SEND);
        Wrong.unless(right.done(Operation.RECEIVE).byteLength() == 0, "the length of nothing");
    }

    private void write() {
        left.fill(0, MIB, 2);
        left.post(new WorkRequest.Write(0, left.segment(0, MIB), right.remote(MIB)));
        left.done(Operation.WRITE);
        right.expect(MIB, MIB, 2);
    }

    private void writeWithImmediate() {
        left.fill(0, 5_000, 3);
        right.post(new WorkRequest.Receive(0));
        left.post(new WorkRequest.WriteWithImmediate(
                0, Payload.of(left.segment(0, 5_000)), right.remote(0), -1, SendOptions.SIGNALLED));
        left.done(Operation.WRITE_WITH_IMMEDIATE);
        Completion received = right.done(Operation.RECEIVE_WRITE_WITH_IMMEDIATE);
        Wrong.unless(Objects.equals(received.immediate(), -1), "the immediate is " + received.immediate());
        right.expect(0, 5_000, 3);
    }

    private void read() {
        right.fill(MIB, MIB, 4);
        left.post(new WorkRequest.Read(0, left.segment(0, MIB), right.remote(MIB)));
        left.done(Operation.READ);
        left.expect(0, MIB, 4);
    }

    private void fetchAdd() {
        right.clear(0, 8);
        for (int i = 0; i < 10; i++) {
            left.post(new WorkRequest.FetchAdd(0, left.segment(0, 8), right.remote(0), 7, SendOptions.SIGNALLED));
            left.done(Operation.FETCH_ADD);
            Wrong.unless(left.word(0) == 7L * i, "the value before was " + left.word(0));
        }
        Wrong.unless(right.word(0) == 70, "the sum is " + right.word(0));
    }

    private void compareSwap() {
        right.clear(0, 8);
        compareSwap(0, 5, 0);
        compareSwap(0, 9, 5);
        Wrong.unless(right.word(0) == 5, "the value is " + right.word(0));
    }

    private void compareSwap(long expected, long replacement, long found) {
        left.post(new WorkRequest.CompareSwap(
                0, left.segment(0, 8), right.remote(0), expected, replacement, SendOptions.SIGNALLED));
        left.done(Operation.COMPARE_SWAP);
        Wrong.unless(left.word(0) == found, "the value before was " + left.word(0));
    }

    /** The program registers nothing: the adapter's table does, at the first of three writes. */
    private void anyBuffer() {
        RegistrationTable table = left.adapter().registrations();
        RegistrationCounts before = table.counts();
        try (Arena arena = left.adapter().arena()) {
            MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_LONG, 11, 12, 13);
            for (long at = 0; at < buffer.byteSize(); at += Long.BYTES) {
                left.post(new WorkRequest.Write(0, buffer.asSlice(at, Long.BYTES), right.remote(at)));
                left.done(Operation.WRITE);
            }
            right.expectSame(0, buffer);
        }
        RegistrationCounts after = table.counts();
        Wrong.unless(after.misses() == before.misses() + 1, "registrations: " + after + " after " + before);
        Wrong.unless(after.hits() == before.hits() + 2, "buffers found again: " + after + " after " + before);
        Wrong.unless(after.entries() == before.entries(), "registrations left: " + after + " after " + before);
    }

    private void register() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            try (Region region = right.adapter()
                    .reserve(right.domain(), memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE))) {
                right.post(new WorkRequest.Register(0, region.key(), SendOptions.SIGNALLED));
                right.done(Operation.REGISTER);
                left.fill(0, 4096, 5);
                left.post(new WorkRequest.Write(0, left.segment(0, 4096), RemoteMemory.of(region)));
                left.done(Operation.WRITE);
                right.post(new WorkRequest.LocalInvalidate(0, region.key(), SendOptions.SIGNALLED));
                right.done(Operation.LOCAL_INVALIDATE);
                Wrong.unless(!region.isValid(), "the region is still valid");
                left.expectSame(0, memory);
            }
        }
    }

    private void windowOfType1() {
        try (Window window = right.adapter().createWindow(right.domain(), Window.Type.TYPE_1)) {
            RemoteMemory part = bind(window, 0x2000, 0x1000);
            throughWindow(part, 0x2000, 6);
            right.post(new WorkRequest.BindWindow(
                    0, window, MemoryKey.next(window.key()), right.region(), 0, 0, Set.of(), SendOptions.SIGNALLED));
            right.done(Operation.BIND_WINDOW);
            Wrong.unless(!window.isBound(), "the window is still bound");
        }
    }

    private void windowOfType2() {
        try (Window window = right.adapter().createWindow(right.domain(), Window.Type.TYPE_2)) {
            RemoteMemory part = bind(window, 0x4000, 0x1000);
            throughWindow(part, 0x4000, 7);
            right.post(new WorkRequest.Receive(0));
            left.post(new WorkRequest.SendWithInvalidate(0, Payload.NOTHING, part.key(), SendOptions.SIGNALLED));
            left.done(Operation.SEND_WITH_INVALIDATE);
            Completion received = right.done(Operation.RECEIVE);
            Wrong.unless(
                    Objects.equals(received.invalidatedKey(), part.key()),
                    "the key taken back is " + received.invalidatedKey());
            Wrong.unless(!window.isBound(), "the window is still bound");
        }
    }

    private RemoteMemory bind(Window window, long offset, long length) {
        int key = MemoryKey.next(window.key());
        long address = right.region().address() + offset;
        right.post(new WorkRequest.BindWindow(
                0, window, key, right.region(), address, length, READ_WRITE, SendOptions.SIGNALLED));
        right.done(Operation.BIND_WINDOW);
        return new RemoteMemory(address, window.key());
    }

    private void throughWindow(RemoteMemory part, long offset, long message) {
        left.fill(0, 0x1000, message);
        left.post(new WorkRequest.Write(0, left.segment(0, 0x1000), part));
        left.done(Operation.WRITE);
        right.expect(offset, 0x1000, message);
        left.clear(0, 0x1000);
        left.post(new WorkRequest.Read(0, left.segment(0, 0x1000), part));
        left.done(Operation.READ);
        left.expect(0, 0x1000, message);
    }

    private void staleKey() {
        right.fill(0, 64, 8);
        left.fill(0, 64, 9);
        LocalSegment data = left.segment(0, 64);
        left.post(new WorkRequest.Write(
                0,
                data,
                new RemoteMemory(
                        right.region().address(), MemoryKey.next(right.region().key()))));
        Completion refused = left.next();
        Wrong.unless(
                refused.status() == Status.REMOTE_ACCESS_ERROR,
                "it ended with " + refused.status().text());
        Wrong.unless(left.queuePair().state() == QueuePairState.ERROR, "the queue pair is not in error");
        right.expect(0, 64, 8);
    }

    private void connectAgain() {
        left.reset();
        right.reset();
        left.connect(right);
        right.connect(left);
        write();
    }
}
