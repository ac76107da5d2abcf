package org.verbena.simulation;

import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;
import org.verbena.time.Seed;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Makes requests of intents and posts them. What can't be asked for now is left out: the next draw is another one. */
final class Poster {
    static final int INLINE_MAX = 128;
    static final int GAP_MAX = 16;

    private final Checker checkers;

    Poster(Checker checkers) {
        this.checkers = checkers;
    }

    /** Posts one request of the lane's choice; false when there was none it could post. */
    boolean post(Lane lane, Lane reverse) {
        Operation operation = lane.appetite.next(lane.seed());
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, WRITE, WRITE_WITH_IMMEDIATE -> postMessage(lane, operation);
            case SEND_WITH_INVALIDATE -> postInvalidate(lane);
            case READ -> postRead(lane);
            case FETCH_ADD, COMPARE_SWAP -> postAtomic(lane, operation);
            case BIND_WINDOW -> reverse.window().state() == WindowCycle.State.SHUT && postBind(lane, reverse);
            case LOCAL_INVALIDATE ->
                reverse.window().isOpen() && reverse.window().uses() == 0 && postShut(lane, reverse);
            default -> false;
        };
    }

    /** Posts something whose completion tells that everything before it is done. */
    void postLast(Lane lane) {
        submit(
                new Intent.Message(lane, lane.nextId(), Operation.WRITE, true, false, Pieces.one(0, 0), 0, 0),
                options(lane.seed(), true, false));
    }

    private boolean postMessage(Lane lane, Operation operation) {
        Seed seed = lane.seed();
        boolean writes = !operation.isSend();
        boolean throughWindow = writes && lane.window().isOpen() && seed.nextBoolean();
        long room = throughWindow
                ? lane.window().length()
                : writes ? lane.target().length() : lane.feed().bufferLength();
        long length = lane.appetite.length(seed, lane.mtu().bytes(), room);
        long offset = throughWindow ? lane.window().offset() : 0;
        long targetOffset = writes ? offset + Pieces.below(seed, room - length + 1) : 0;
        var message = new Intent.Message(
                lane,
                lane.nextId(),
                operation,
                signalled(lane),
                throughWindow,
                Pieces.anywhere(seed, length, lane.source().length(), lane.appetite.segmentsMax()),
                targetOffset,
                seed.nextInt());
        submit(message, options(seed, message.signalled(), writes && passesReads(lane, targetOffset, length)));
        return true;
    }

    /** A read may be answered again, from memory as it is then: only a fence keeps a later write from changing it. */
    private static boolean passesReads(Lane lane, long offset, long length) {
        for (Intent.Read read : lane.reads) {
            if (read.overlaps(offset, length)) {
                return true;
            }
        }
        return false;
    }

    private boolean postInvalidate(Lane lane) {
        WindowCycle window = lane.window();
        if (!window.isOpen() || window.window().type() != Window.Type.TYPE_2) {
            return false;
        }
        Seed seed = lane.seed();
        long length = lane.appetite.length(seed, lane.mtu().bytes(), lane.feed().bufferLength());
        var message = new Intent.Message(
                lane,
                lane.nextId(),
                Operation.SEND_WITH_INVALIDATE,
                signalled(lane),
                false,
                Pieces.anywhere(seed, length, lane.source().length(), lane.appetite.segmentsMax()),
                0,
                window.key());
        window.onShutting();
        submit(message, options(seed, message.signalled(), true));
        return true;
    }

    private boolean postRead(Lane lane) {
        Seed seed = lane.seed();
        boolean throughWindow = lane.window().isOpen() && seed.nextBoolean();
        long room = throughWindow ? lane.window().length() : lane.target().length();
        long length = lane.appetite.length(
                seed, lane.mtu().bytes(), Math.min(room, lane.landing().length() / 2));
        long offset = throughWindow ? lane.window().offset() : 0;
        int pieces = lane.appetite.segmentsMax();
        long landing = lane.landings().take(length + (long) pieces * GAP_MAX);
        if (landing < 0) {
            return false;
        }
        var read = new Intent.Read(
                lane,
                lane.nextId(),
                signalled(lane),
                throughWindow,
                Pieces.spaced(seed, landing, length, pieces, GAP_MAX),
                offset + Pieces.below(seed, room - length + 1));
        lane.reads.add(read);
        submit(read, options(seed, read.signalled(), false));
        return true;
    }

    private boolean postAtomic(Lane lane, Operation operation) {
        Seed seed = lane.seed();
        long landing = lane.landings().take(8);
        if (landing < 0) {
            return false;
        }
        boolean shared = seed.nextBoolean();
        Zone cells = shared ? lane.sharedCells() : lane.cells();
        long cell = Pieces.below(seed, cells.length() / 16) * 16 + (operation == Operation.FETCH_ADD ? 0 : 8);
        var atomic = new Intent.Atomic(
                lane,
                lane.nextId(),
                operation,
                signalled(lane),
                Pieces.one(landing, 8),
                shared,
                cell,
                firstOperand(seed, operation, shared, cells, cell),
                seed.nextLong());
        submit(atomic, options(seed, atomic.signalled(), false));
        return true;
    }

    /** The value to add or to expect; a value that is expected is right more often than not. */
    private static long firstOperand(Seed seed, Operation operation, boolean shared, Zone cells, long cell) {
        if (operation == Operation.FETCH_ADD) {
            return shared ? 1 : seed.nextLong();
        }
        if (shared) {
            return cells.readLong(cell);
        }
        return seed.chance(0.7) ? cells.shadow().get(ValueLayout.JAVA_LONG_UNALIGNED, cell) : seed.nextLong();
    }

    /** Binds the window that the lane in the other direction may use. */
    private boolean postBind(Lane lane, Lane reverse) {
        Seed seed = lane.seed();
        WindowCycle window = reverse.window();
        long length = 1 + Pieces.below(seed, reverse.target().length());
        long offset = Pieces.below(seed, reverse.target().length() - length + 1);
        var local = new Intent.Local(lane, lane.nextId(), Operation.BIND_WINDOW);
        int newKey = MemoryKey.next(window.window().key());
        window.onBinding(newKey, offset, length);
        checkers.onPosted(local);
        enqueue(
                local,
                new WorkRequest.BindWindow(
                        local.id(),
                        window.window(),
                        newKey,
                        reverse.target().region(),
                        reverse.target().region().address() + offset,
                        length,
                        EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE),
                        SendOptions.SIGNALLED));
        return true;
    }

    /** Shuts it again: a type 1 window by binding it to nothing. */
    private boolean postShut(Lane lane, Lane reverse) {
        Window window = reverse.window().window();
        boolean type2 = window.type() == Window.Type.TYPE_2;
        var local = new Intent.Local(lane, lane.nextId(), type2 ? Operation.LOCAL_INVALIDATE : Operation.BIND_WINDOW);
        reverse.window().onShutting();
        checkers.onPosted(local);
        enqueue(
                local,
                type2
                        ? new WorkRequest.LocalInvalidate(local.id(), window.key(), SendOptions.SIGNALLED)
                        : new WorkRequest.BindWindow(
                                local.id(),
                                window,
                                MemoryKey.next(window.key()),
                                reverse.target().region(),
                                0,
                                0,
                                EnumSet.noneOf(Right.class),
                                SendOptions.SIGNALLED));
        return true;
    }

    private void submit(Intent intent, SendOptions options) {
        if (intent.throughWindow()) {
            intent.lane().window().onUsed();
        }
        checkers.onPosted(intent);
        enqueue(intent, request(intent, options));
    }

    private static void enqueue(Intent intent, WorkRequest.Sending request) {
        intent.lane().outstanding.add(intent);
        intent.lane().outstandingBytes += intent.length();
        if (!intent.lane().queuePair().post(request)) {
            throw new AssertionError("a send queue with room for all requests refused " + intent);
        }
    }

    private static WorkRequest.Sending request(Intent intent, SendOptions options) {
        Lane lane = intent.lane();
        long id = intent.id();
        return switch (intent) {
            case Intent.Message m ->
                switch (m.operation()) {
                    case SEND -> new WorkRequest.Send(id, payload(m), options);
                    case SEND_WITH_IMMEDIATE ->
                        new WorkRequest.SendWithImmediate(id, payload(m), m.argument(), options);
                    case SEND_WITH_INVALIDATE ->
                        new WorkRequest.SendWithInvalidate(id, payload(m), m.argument(), options);
                    case WRITE -> new WorkRequest.Write(id, payload(m), target(m, m.targetOffset()), options);
                    default ->
                        new WorkRequest.WriteWithImmediate(
                                id, payload(m), target(m, m.targetOffset()), m.argument(), options);
                };
            case Intent.Read r ->
                new WorkRequest.Read(id, r.landing().in(lane.landing()), target(r, r.targetOffset()), options);
            case Intent.Atomic a ->
                a.operation() == Operation.FETCH_ADD
                        ? new WorkRequest.FetchAdd(
                                id,
                                lane.landing().local(a.landing().offset(0), 8),
                                a.cells().remote(a.cell()),
                                a.first(),
                                options)
                        : new WorkRequest.CompareSwap(
                                id,
                                lane.landing().local(a.landing().offset(0), 8),
                                a.cells().remote(a.cell()),
                                a.first(),
                                a.second(),
                                options);
            case Intent.Local l -> throw new AssertionError(l + " is posted elsewhere");
        };
    }

    /** Region or window; a message of length zero may name anything at all. */
    private static RemoteMemory target(Intent intent, long offset) {
        Lane lane = intent.lane();
        RemoteMemory region = lane.target().remote(offset);
        if (intent.length() == 0) {
            return new RemoteMemory(intent.id() * 0x9e3779b97f4a7c15L, (int) intent.id());
        }
        return intent.throughWindow()
                ? new RemoteMemory(region.address(), lane.window().key())
                : region;
    }

    private static Payload payload(Intent.Message message) {
        Zone source = message.lane().source();
        if (message.length() <= INLINE_MAX && message.id() % 2 == 0) {
            byte[] bytes = new byte[(int) message.length()];
            Pieces.copy(
                    source.shadow(),
                    message.source(),
                    java.lang.foreign.MemorySegment.ofArray(bytes),
                    Pieces.one(0, bytes.length),
                    bytes.length);
            return Payload.inline(bytes);
        }
        return new Payload.Gathered(message.source().in(source));
    }

    private static boolean signalled(Lane lane) {
        return lane.seed().chance(lane.appetite.signalled());
    }

    private static SendOptions options(Seed seed, boolean signalled, boolean fence) {
        return new SendOptions(signalled, fence || seed.chance(0.05), seed.chance(0.1));
    }
}
