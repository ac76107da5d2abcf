package org.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.memory.Region;

/**
 * A send, write, read or datagram whose memory at both ends is fixed, and whose part of it varies from post to post: {@link
 * QueuePair#post(PreparedTransfer, long, long, long, long, int, SendOptions)}. Such a post makes no object, where a {@link WorkRequest} with another
 * offset or length is a new record. Immutable: any thread may use it, for any queue pair.
 */
public final class PreparedTransfer {
    private final Operation operation;
    private final Region local;
    private final @Nullable RemoteMemory remote;
    private final @Nullable AddressHandle to;
    private final int queuePair;
    private final int qkey;

    private PreparedTransfer(
            Operation operation,
            Region local,
            @Nullable RemoteMemory remote,
            @Nullable AddressHandle to,
            int queuePair,
            int qkey) {
        this.operation = operation;
        this.local = Objects.requireNonNull(local);
        this.remote = remote;
        this.to = to;
        this.queuePair = queuePair;
        this.qkey = qkey;
    }

    /** {@link WorkRequest.Send} from a region. */
    public static PreparedTransfer send(Region local) {
        return new PreparedTransfer(Operation.SEND, local, null, null, 0, 0);
    }

    /** {@link WorkRequest.SendWithImmediate} from a region. */
    public static PreparedTransfer sendWithImmediate(Region local) {
        return new PreparedTransfer(Operation.SEND_WITH_IMMEDIATE, local, null, null, 0, 0);
    }

    /** {@link WorkRequest.Write} from a region into memory of the peer. */
    public static PreparedTransfer write(Region local, RemoteMemory target) {
        return new PreparedTransfer(Operation.WRITE, local, Objects.requireNonNull(target), null, 0, 0);
    }

    /** {@link WorkRequest.WriteWithImmediate} from a region into memory of the peer. */
    public static PreparedTransfer writeWithImmediate(Region local, RemoteMemory target) {
        return new PreparedTransfer(Operation.WRITE_WITH_IMMEDIATE, local, Objects.requireNonNull(target), null, 0, 0);
    }

    /** {@link WorkRequest.Read} from memory of the peer into a region. */
    public static PreparedTransfer read(Region local, RemoteMemory source) {
        return new PreparedTransfer(Operation.READ, local, Objects.requireNonNull(source), null, 0, 0);
    }

    /**
     * {@link WorkRequest.SendDatagram} from a region.
     *
     * @param to port or group; an address handle of the sending queue pair's domain
     * @param queuePair number of the receiving queue pair; {@link WorkRequest#MULTICAST} for a group
     * @param qkey key of the receiving queue pair; a key with the top bit set stands for the sender's own
     * @throws IllegalArgumentException if the number has more than 24 bits
     */
    public static PreparedTransfer datagram(Region local, AddressHandle to, int queuePair, int qkey) {
        return datagram(Operation.SEND, local, to, queuePair, qkey);
    }

    /**
     * {@link WorkRequest.SendDatagramWithImmediate} from a region.
     *
     * @param to port or group; an address handle of the sending queue pair's domain
     * @param queuePair number of the receiving queue pair; {@link WorkRequest#MULTICAST} for a group
     * @param qkey key of the receiving queue pair; a key with the top bit set stands for the sender's own
     * @throws IllegalArgumentException if the number has more than 24 bits
     */
    public static PreparedTransfer datagramWithImmediate(Region local, AddressHandle to, int queuePair, int qkey) {
        return datagram(Operation.SEND_WITH_IMMEDIATE, local, to, queuePair, qkey);
    }

    private static PreparedTransfer datagram(
            Operation operation, Region local, AddressHandle to, int queuePair, int qkey) {
        // Checks the number.
        var _ = new WorkRequest.SendDatagram(0, Payload.of(), to, queuePair, qkey, SendOptions.SIGNALLED);
        return new PreparedTransfer(operation, local, null, Objects.requireNonNull(to), queuePair, qkey);
    }

    /** The region that the data come from, or go into. */
    public Region local() {
        return local;
    }

    Operation operation() {
        return operation;
    }

    /** Memory of the peer that it names; null for a send or a datagram. */
    @Nullable
    RemoteMemory remote() {
        return remote;
    }

    /** Destination of a datagram; null for the others. */
    @Nullable
    AddressHandle to() {
        return to;
    }

    int queuePair() {
        return queuePair;
    }

    int qkey() {
        return qkey;
    }

    boolean hasImmediate() {
        return operation == Operation.SEND_WITH_IMMEDIATE || operation == Operation.WRITE_WITH_IMMEDIATE;
    }

    @Override
    public String toString() {
        return "prepared " + operation + " of " + local + (to == null ? "" : " by " + to);
    }
}
