package org.verbena.verbs;

import java.util.List;
import java.util.Set;
import org.verbena.memory.Key;
import org.verbena.memory.Region;
import org.verbena.memory.Right;
import org.verbena.memory.Window;
import org.verbena.wire.ib.Bth;

/**
 * What a consumer asks a queue pair for. Immutable: prepare one, post it as often as you like.
 *
 * <p>{@link #id} comes back in the completion and means nothing to the adapter.
 */
public sealed interface WorkRequest {
    long id();

    /** A request for the send queue. */
    sealed interface Sending extends WorkRequest {
        SendOptions options();
    }

    /** Takes one message that the peer sends, or the immediate data of one that it writes. */
    record Receive(long id, List<LocalSegment> into) implements WorkRequest {
        public Receive {
            into = List.copyOf(into);
        }

        public Receive(long id, LocalSegment... into) {
            this(id, List.of(into));
        }
    }

    /** Sends a message into a receive of the peer's. */
    record Send(long id, Payload data, SendOptions options) implements Sending {
        public Send(long id, LocalSegment... data) {
            this(id, Payload.of(data), SendOptions.SIGNALLED);
        }
    }

    /** Sends a message and 32 bits that stand in the peer's completion. */
    record SendWithImmediate(long id, Payload data, int immediate, SendOptions options) implements Sending {}

    /** Sends a message and takes a key of the peer's from it: a type 2 window's or a reserved region's. */
    record SendWithInvalidate(long id, Payload data, int key, SendOptions options) implements Sending {}

    /**
     * Sends a message of one packet to any queue pair.
     *
     * @param queuePair its number; {@link #MULTICAST} at a group
     * @param qkey that queue pair's key; one with the top bit set stands for the sender's own
     */
    record SendDatagram(long id, Payload data, AddressHandle to, int queuePair, int qkey, SendOptions options)
            implements Sending {
        public SendDatagram {
            requireNumber(queuePair);
        }
    }

    /** Sends a message of one packet to any queue pair, and 32 bits that stand in its completion. */
    record SendDatagramWithImmediate(
            long id, Payload data, AddressHandle to, int queuePair, int qkey, int immediate, SendOptions options)
            implements Sending {
        public SendDatagramWithImmediate {
            requireNumber(queuePair);
        }
    }

    /** Sends a raw packet, of the queue pair's EtherType, to an adapter. */
    record SendRaw(long id, Payload data, AddressHandle to, SendOptions options) implements Sending {}

    /** Writes into the peer's memory; the peer's consumer is not told. */
    record Write(long id, Payload data, RemoteMemory target, SendOptions options) implements Sending {
        public Write(long id, LocalSegment data, RemoteMemory target) {
            this(id, Payload.of(data), target, SendOptions.SIGNALLED);
        }
    }

    /** Writes into the peer's memory and completes a receive of the peer's with 32 bits. */
    record WriteWithImmediate(long id, Payload data, RemoteMemory target, int immediate, SendOptions options)
            implements Sending {}

    /** Reads from the peer's memory; the peer's consumer is not told. */
    record Read(long id, List<LocalSegment> into, RemoteMemory source, SendOptions options) implements Sending {
        public Read {
            into = List.copyOf(into);
        }

        public Read(long id, LocalSegment into, RemoteMemory source) {
            this(id, List.of(into), source, SendOptions.SIGNALLED);
        }
    }

    /** Adds to 8 bytes of the peer's memory, aligned to 8; what was there before lands in {@code original}. */
    record FetchAdd(long id, LocalSegment original, RemoteMemory target, long addend, SendOptions options)
            implements Sending {
        public FetchAdd {
            requireEightBytes(original);
        }
    }

    /** Replaces 8 bytes of the peer's memory if they are {@code expected}; what was there lands in {@code original}. */
    record CompareSwap(
            long id, LocalSegment original, RemoteMemory target, long expected, long replacement, SendOptions options)
            implements Sending {
        public CompareSwap {
            requireEightBytes(original);
        }
    }

    /**
     * Writes 8 bytes of the peer's memory, aligned to 8, at once: who reads them sees all or nothing of it.
     *
     * @param value its bytes in memory are the ones written
     */
    record AtomicWrite(long id, long value, RemoteMemory target, SendOptions options) implements Sending {}

    /**
     * Lets peers reach part of a region through a window, under a new key.
     *
     * @param address where the part begins, as the region's key knows it
     * @param length its bytes; 0 takes everything from a type 1 window
     * @param newKey the window's index with a new instance, see {@link Key#next}
     */
    record BindWindow(
            long id,
            Window window,
            int newKey,
            Region region,
            long address,
            long length,
            Set<Right> rights,
            SendOptions options)
            implements Sending {
        public BindWindow {
            rights = Set.copyOf(rights);
        }
    }

    /** Takes back the key of a type 2 window or of a reserved region of one's own. */
    record LocalInvalidate(long id, int key, SendOptions options) implements Sending {}

    /** Makes a reserved region valid; requests posted after this one may use the key. */
    record Register(long id, int key, SendOptions options) implements Sending {}

    /** The queue pair number of datagrams to a group. */
    int MULTICAST = Bth.QUEUE_PAIR_MASK;

    private static void requireNumber(int queuePair) {
        if ((queuePair & ~Bth.QUEUE_PAIR_MASK) != 0) {
            throw new IllegalArgumentException(
                    "a queue pair's number has 24 bits; found 0x" + Integer.toHexString(queuePair));
        }
    }

    private static void requireEightBytes(LocalSegment original) {
        if (original.length() != 8) {
            throw new IllegalArgumentException(
                    "an atomic's original value has 8 bytes; found a segment of " + original.length());
        }
    }
}
