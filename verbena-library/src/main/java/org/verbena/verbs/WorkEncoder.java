package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.adapter.Limits;
import org.verbena.memory.ProtectionDomain;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/**
 * Writes work requests into slots of a ring. An exception on the way, whatever its cause, gives the claimed slot back:
 * nothing is published, and the next post may follow.
 */
final class WorkEncoder {
    private WorkEncoder() {}

    /** Writes a receive into a ring; false when it is full, or all buffers for copies are in use. */
    static boolean post(Ring ring, WorkRequest.Receive request, int segmentsMax, PostMemory memory) {
        List<LocalSegment> into = request.into();
        requireSegments(into.size(), segmentsMax);
        requireMessageLength(lengthOf(into));
        long position = ring.claim();
        if (position < 0) {
            return false;
        }
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        try {
            ReceiveSlot.begin(slots, slot, request.id(), into.size());
            memory.start();
            writeSegments(slots, slot + ReceiveSlot.HEADER_LENGTH, into, true, memory);
            if (memory.lacksRoom()) {
                memory.undo(slots, slot + ReceiveSlot.HEADER_LENGTH);
                ring.leaveProducer();
                return false;
            }
            ReceiveSlot.counted(slots, slot, memory.finish(slots, slot + ReceiveSlot.HEADER_LENGTH, into.size()));
        } catch (RuntimeException | Error refused) {
            memory.undo(slots, slot + ReceiveSlot.HEADER_LENGTH);
            ring.leaveProducer();
            throw refused;
        }
        ring.publish(position);
        return true;
    }

    /** Writes a request into a send ring; false when it is full, or all buffers for copies are in use. */
    static boolean post(Ring ring, WorkRequest.Sending request, PostRules rules, PostMemory memory) {
        check(request, rules);
        long position = ring.claim();
        if (position < 0) {
            return false;
        }
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        try {
            memory.start();
            encode(slots, slot, request, memory);
            if (memory.lacksRoom()) {
                memory.undo(slots, slot + SendSlot.HEADER_LENGTH);
                ring.leaveProducer();
                return false;
            }
            int segments = SendSlot.segments(slots, slot);
            SendSlot.counted(slots, slot, memory.finish(slots, slot + SendSlot.HEADER_LENGTH, segments));
            stage(position, request, memory);
        } catch (RuntimeException | Error refused) {
            memory.undo(slots, slot + SendSlot.HEADER_LENGTH);
            ring.leaveProducer();
            throw refused;
        }
        ring.publish(position);
        return true;
    }

    /** Hands over the memory that a request registers. The last step that can fail, so that nothing has to be taken back. */
    private static void stage(long position, WorkRequest.Sending request, PostMemory memory) {
        PreparedMemory registered = switch (request) {
            case WorkRequest.Register r -> r.memory();
            case WorkRequest.RegisterAndSend r -> r.memory();
            default -> null;
        };
        if (registered != null) {
            memory.stage(position, registered.range());
        }
    }

    private static void check(WorkRequest.Sending request, PostRules rules) {
        Service service = rules.service();
        int segmentsMax = rules.segmentsMax();
        int inlineMax = rules.inlineMax();
        switch (request) {
            case WorkRequest.SendDatagram r -> {
                service.requireDatagrams();
                check(r.data(), segmentsMax, inlineMax);
                check(r.data(), r.to(), rules.domain());
            }
            case WorkRequest.SendDatagramWithImmediate r -> {
                service.requireDatagrams();
                check(r.data(), segmentsMax, inlineMax);
                check(r.data(), r.to(), rules.domain());
            }
            case WorkRequest.SendRaw r -> {
                service.requireRaw();
                check(r.data(), segmentsMax, inlineMax);
                check(r.data(), r.to(), rules.domain());
            }
            case WorkRequest.Send r -> {
                service.require(Operation.SEND);
                check(r.data(), segmentsMax, inlineMax);
            }
            case WorkRequest.SendWithImmediate r -> {
                service.require(Operation.SEND_WITH_IMMEDIATE);
                check(r.data(), segmentsMax, inlineMax);
            }
            case WorkRequest.SendWithInvalidate r -> {
                service.require(Operation.SEND_WITH_INVALIDATE);
                check(r.data(), segmentsMax, inlineMax);
            }
            case WorkRequest.Write r -> {
                service.require(Operation.WRITE);
                check(r.data(), segmentsMax, inlineMax);
            }
            case WorkRequest.WriteWithImmediate r -> {
                service.require(Operation.WRITE_WITH_IMMEDIATE);
                check(r.data(), segmentsMax, inlineMax);
            }
            case WorkRequest.Read r -> {
                service.require(Operation.READ);
                requireSegments(r.into().size(), segmentsMax);
                requireMessageLength(lengthOf(r.into()));
            }
            case WorkRequest.FetchAdd _ -> service.require(Operation.FETCH_ADD);
            case WorkRequest.CompareSwap _ -> service.require(Operation.COMPARE_SWAP);
            case WorkRequest.AtomicWrite _ -> service.require(Operation.ATOMIC_WRITE);
            case WorkRequest.BindWindow r -> {
                service.require(Operation.BIND_WINDOW);
                r.window().key(); // throws if it is closed, before a slot is claimed
            }
            case WorkRequest.LocalInvalidate _ -> service.require(Operation.LOCAL_INVALIDATE);
            case WorkRequest.Register _ -> {
                service.require(Operation.REGISTER);
                rules.requireRegisters();
            }
            case WorkRequest.RegisterAndSend r -> {
                service.require(Operation.REGISTER);
                rules.requireRegisters();
                check(r.data(), segmentsMax, inlineMax);
            }
        }
    }

    private static void check(Payload data, int segmentsMax, int inlineMax) {
        switch (data) {
            case Payload.Gathered g -> {
                requireSegments(g.segments().size(), segmentsMax);
                requireMessageLength(lengthOf(g.segments()));
            }
            case Payload.Copied c -> requireMessageLength(c.data().byteSize());
            case Payload.Inline i -> {
                if (i.bytes().length > inlineMax) {
                    throw new IllegalArgumentException(
                            "the queue pair takes " + inlineMax + " inline bytes; found " + i.bytes().length);
                }
            }
        }
    }

    private static void check(Payload data, AddressHandle to, @Nullable ProtectionDomain domain) {
        long length = switch (data) {
            case Payload.Gathered g -> lengthOf(g.segments());
            case Payload.Copied c -> c.data().byteSize();
            case Payload.Inline i -> i.bytes().length;
        };
        checkDatagram(length, to, domain);
    }

    /** A datagram is one packet. Its address handle is open and belongs to the queue pair's domain. */
    static void checkDatagram(long length, AddressHandle to, @Nullable ProtectionDomain domain) {
        to.requireUsable(domain);
        if (length > to.lengthMax()) {
            throw new IllegalArgumentException(
                    "a datagram has at most the " + to.lengthMax() + " bytes of the port's MTU; found " + length);
        }
    }

    private static void encode(MemorySegment ring, long slot, WorkRequest.Sending request, PostMemory memory) {
        switch (request) {
            case WorkRequest.SendDatagram r -> {
                message(ring, slot, r, Operation.SEND, r.data(), memory);
                SendSlot.destination(ring, slot, r.to().number(), r.queuePair(), r.qkey());
            }
            case WorkRequest.SendDatagramWithImmediate r -> {
                message(ring, slot, r, Operation.SEND_WITH_IMMEDIATE, r.data(), memory);
                SendSlot.argument(ring, slot, r.immediate());
                SendSlot.destination(ring, slot, r.to().number(), r.queuePair(), r.qkey());
            }
            case WorkRequest.SendRaw r -> {
                message(ring, slot, r, Operation.SEND, r.data(), memory);
                SendSlot.destination(ring, slot, r.to().number(), 0, 0);
            }
            case WorkRequest.Send r -> message(ring, slot, r, Operation.SEND, r.data(), memory);
            case WorkRequest.SendWithImmediate r -> {
                message(ring, slot, r, Operation.SEND_WITH_IMMEDIATE, r.data(), memory);
                SendSlot.argument(ring, slot, r.immediate());
            }
            case WorkRequest.SendWithInvalidate r -> {
                message(ring, slot, r, Operation.SEND_WITH_INVALIDATE, r.data(), memory);
                SendSlot.argument(ring, slot, r.key());
            }
            case WorkRequest.Write r -> {
                message(ring, slot, r, Operation.WRITE, r.data(), memory);
                remote(ring, slot, r.target());
            }
            case WorkRequest.WriteWithImmediate r -> {
                message(ring, slot, r, Operation.WRITE_WITH_IMMEDIATE, r.data(), memory);
                SendSlot.argument(ring, slot, r.immediate());
                remote(ring, slot, r.target());
            }
            case WorkRequest.Read r -> {
                begin(ring, slot, r, Operation.READ, 0);
                gathered(ring, slot, r.into(), true, memory);
                remote(ring, slot, r.source());
            }
            case WorkRequest.FetchAdd r -> {
                begin(ring, slot, r, Operation.FETCH_ADD, 0);
                original(ring, slot, r.original(), memory);
                remote(ring, slot, r.target());
                SendSlot.operands(ring, slot, r.addend(), 0);
            }
            case WorkRequest.CompareSwap r -> {
                begin(ring, slot, r, Operation.COMPARE_SWAP, 0);
                original(ring, slot, r.original(), memory);
                remote(ring, slot, r.target());
                SendSlot.operands(ring, slot, r.expected(), r.replacement());
            }
            case WorkRequest.AtomicWrite r -> {
                begin(ring, slot, r, Operation.ATOMIC_WRITE, SendSlot.FLAG_INLINE);
                SendSlot.messageLength(ring, slot, Long.BYTES);
                ring.set(ValueLayout.JAVA_LONG_UNALIGNED, slot + SendSlot.HEADER_LENGTH, r.value());
                remote(ring, slot, r.target());
            }
            case WorkRequest.BindWindow r -> bind(ring, slot, r);
            case WorkRequest.LocalInvalidate r -> {
                begin(ring, slot, r, Operation.LOCAL_INVALIDATE, 0);
                SendSlot.argument(ring, slot, r.key());
                SendSlot.messageLength(ring, slot, 0);
            }
            case WorkRequest.Register r -> {
                begin(ring, slot, r, Operation.REGISTER, flag(r.touches()));
                SendSlot.argument(ring, slot, r.key());
                SendSlot.messageLength(ring, slot, 0);
            }
            case WorkRequest.RegisterAndSend r -> {
                int flags = SendSlot.FLAG_REGISTERS | flag(r.touches());
                message(ring, slot, r, Operation.SEND, flags, r.data(), memory);
                SendSlot.newKey(ring, slot, r.key());
            }
        }
    }

    private static int flag(Touches touches) {
        return switch (touches) {
            case ONE -> SendSlot.FLAG_ONE_TOUCH;
            case MANY -> 0;
        };
    }

    private static void bind(MemorySegment ring, long slot, WorkRequest.BindWindow r) {
        begin(ring, slot, r, Operation.BIND_WINDOW, flag(r.touches()));
        SendSlot.messageLength(ring, slot, 0);
        SendSlot.argument(ring, slot, r.window().key());
        SendSlot.newKey(ring, slot, r.newKey());
        SendSlot.remote(ring, slot, r.address(), r.regionKey());
        SendSlot.operands(ring, slot, r.length(), Right.mask(r.rights()));
    }

    private static void begin(
            MemorySegment ring, long slot, WorkRequest.Sending request, Operation operation, int flags) {
        SendSlot.begin(ring, slot, request.id(), operation, flags | flags(request.options()));
    }

    /** The flags of a slot that stand for these options. */
    static int flags(SendOptions options) {
        return (options.signalled() ? SendSlot.FLAG_SIGNALLED : 0)
                | (options.fence() ? SendSlot.FLAG_FENCE : 0)
                | (options.solicited() ? SendSlot.FLAG_SOLICITED : 0);
    }

    private static void message(
            MemorySegment ring,
            long slot,
            WorkRequest.Sending request,
            Operation operation,
            Payload data,
            PostMemory memory) {
        message(ring, slot, request, operation, 0, data, memory);
    }

    private static void message(
            MemorySegment ring,
            long slot,
            WorkRequest.Sending request,
            Operation operation,
            int flags,
            Payload data,
            PostMemory memory) {
        switch (data) {
            case Payload.Gathered g -> {
                begin(ring, slot, request, operation, flags);
                gathered(ring, slot, g.segments(), false, memory);
            }
            case Payload.Copied c -> {
                begin(ring, slot, request, operation, flags);
                SendSlot.segments(ring, slot, 1);
                SendSlot.messageLength(ring, slot, c.data().byteSize());
                memory.copy(ring, slot + SendSlot.HEADER_LENGTH, c.data());
            }
            case Payload.Inline i -> {
                begin(ring, slot, request, operation, flags | SendSlot.FLAG_INLINE);
                SendSlot.messageLength(ring, slot, i.bytes().length);
                MemorySegment.copy(
                        i.bytes(), 0, ring, ValueLayout.JAVA_BYTE, slot + SendSlot.HEADER_LENGTH, i.bytes().length);
            }
        }
    }

    private static void gathered(
            MemorySegment ring, long slot, List<LocalSegment> segments, boolean write, PostMemory memory) {
        SendSlot.segments(ring, slot, segments.size());
        long length = writeSegments(ring, slot + SendSlot.HEADER_LENGTH, segments, write, memory);
        SendSlot.messageLength(ring, slot, length);
    }

    private static void original(MemorySegment ring, long slot, LocalSegment segment, PostMemory memory) {
        SendSlot.segments(ring, slot, 1);
        SendSlot.messageLength(ring, slot, segment.length());
        memory.write(ring, slot + SendSlot.HEADER_LENGTH, 0, segment, true);
    }

    private static void remote(MemorySegment ring, long slot, RemoteMemory memory) {
        SendSlot.remote(ring, slot, memory.address(), memory.key());
    }

    private static long writeSegments(
            MemorySegment ring, long list, List<LocalSegment> segments, boolean write, PostMemory memory) {
        long total = 0;
        for (int i = 0; i < segments.size() && !memory.lacksRoom(); i++) {
            LocalSegment segment = segments.get(i);
            memory.write(ring, list, i, segment, write);
            total += segment.length();
        }
        return total;
    }

    private static long lengthOf(List<LocalSegment> segments) {
        long total = 0;
        for (int i = 0; i < segments.size(); i++) {
            total += segments.get(i).length();
        }
        return total;
    }

    private static void requireSegments(int found, int most) {
        if (found > most) {
            throw new IllegalArgumentException("the queue takes lists of " + most + " segments; found " + found);
        }
    }

    static void requireMessageLength(long found) {
        if (found > Limits.MESSAGE_MAX) {
            throw new IllegalArgumentException("a message has at most 2^31 bytes; found " + found);
        }
    }
}
