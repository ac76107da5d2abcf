package org.verbena.replay;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Turns the packets of a message back into the work request that caused them, and has the memory for it. */
final class Staging {
    private static final int LENGTH = 16 << 20;

    private final MemorySegment memory = Arena.ofAuto().allocate(LENGTH, 4096);
    private final Region region;
    private final Map<Long, Long> landings = new HashMap<>();
    private final Map<Long, Long> receives = new HashMap<>();
    private long used;
    private long receiveIds;

    Staging(Adapter adapter, ProtectionDomain domain) {
        region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_WRITE));
    }

    WorkRequest.Sending request(long id, List<CapturedPacket> message) {
        CapturedPacket first = message.getFirst();
        CapturedPacket last = message.getLast();
        Reth reth = first.fields().reth();
        SendOptions options = last.fields().solicited() ? SendOptions.SIGNALLED.withSolicited() : SendOptions.SIGNALLED;
        return switch (first.opcode().kind()) {
            case SEND -> send(id, last, data(message), options);
            case RDMA_WRITE -> write(id, last, data(message), remote(Objects.requireNonNull(reth)), options);
            case ATOMIC_WRITE ->
                new WorkRequest.AtomicWrite(
                        id,
                        ByteBuffer.wrap(Conversation.payload(message))
                                .order(ByteOrder.nativeOrder())
                                .getLong(),
                        remote(Objects.requireNonNull(reth)),
                        options);
            case RDMA_READ_REQUEST -> read(id, Objects.requireNonNull(reth), options);
            default -> atomic(id, first, options);
        };
    }

    private static WorkRequest.Sending send(long id, CapturedPacket last, Payload data, SendOptions options) {
        Integer value = last.fields().value();
        if (value == null) {
            return new WorkRequest.Send(id, data, options);
        }
        return last.opcode().carriesImmediate()
                ? new WorkRequest.SendWithImmediate(id, data, value, options)
                : new WorkRequest.SendWithInvalidate(id, data, value, options);
    }

    private static WorkRequest.Sending write(
            long id, CapturedPacket last, Payload data, RemoteMemory target, SendOptions options) {
        Integer value = last.fields().value();
        return value == null
                ? new WorkRequest.Write(id, data, target, options)
                : new WorkRequest.WriteWithImmediate(id, data, target, value, options);
    }

    private WorkRequest.Sending read(long id, Reth reth, SendOptions options) {
        return new WorkRequest.Read(id, List.of(landing(id, reth.length())), remote(reth), options);
    }

    private WorkRequest.Sending atomic(long id, CapturedPacket request, SendOptions options) {
        AtomicEth eth = Objects.requireNonNull(request.fields().atomic());
        RemoteMemory target = new RemoteMemory(eth.address(), eth.key());
        LocalSegment original = landing(id, Long.BYTES);
        return request.opcode() == Opcode.RC_FETCH_ADD
                ? new WorkRequest.FetchAdd(id, original, target, eth.swapOrAdd(), options)
                : new WorkRequest.CompareSwap(id, original, target, eth.compare(), eth.swapOrAdd(), options);
    }

    private static RemoteMemory remote(Reth reth) {
        return new RemoteMemory(reth.address(), reth.key());
    }

    Payload data(List<CapturedPacket> message) {
        byte[] bytes = Conversation.payload(message);
        long offset = take(bytes.length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
        return bytes.length == 0 ? Payload.NOTHING : Payload.of(LocalSegment.of(region, offset, bytes.length));
    }

    private LocalSegment landing(long id, int length) {
        landings.put(id, take(length));
        return LocalSegment.of(region, Objects.requireNonNull(landings.get(id)), length);
    }

    WorkRequest.Receive receive(int length) {
        long offset = take(length);
        receives.put(++receiveIds, offset);
        return new WorkRequest.Receive(receiveIds, LocalSegment.of(region, offset, length));
    }

    byte[] landed(long id, int length) {
        return bytes(Objects.requireNonNull(landings.get(id)), length);
    }

    byte[] received(long id, int length) {
        return bytes(Objects.requireNonNull(receives.get(id)), length);
    }

    private byte[] bytes(long offset, int length) {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Eight bytes as an atomic's result lands in memory. */
    static byte[] bytesOf(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
    }

    private long take(int length) {
        long offset = used;
        used += length + 7 & ~7;
        return offset;
    }
}
