package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;

/**
 * A work request: what a consumer asks a queue pair for. Immutable: one object can be prepared once and posted any number
 * of times, by any thread. {@link QueuePair#post(Sending)} has the table of the services that take it. Arguments are not
 * checked against the queue pair before the post; null is refused by the constructor or by the post.
 */
public sealed interface WorkRequest {
    /** A number of the consumer's choice that stands in the completion; it means nothing to the adapter. */
    long id();

    /** A request for the send queue. */
    sealed interface Sending extends WorkRequest {
        /** How the request is treated. */
        SendOptions options();
    }

    /**
     * Takes one message that the peer sends, or the immediate data of one that it writes.
     *
     * @param into memory that the message goes into, segment after segment; may be longer than the message. All segments are judged
     *     before its first byte lands, also those that it does not reach. The list is copied
     */
    record Receive(long id, List<LocalSegment> into) implements WorkRequest {
        /** Copies the list. */
        public Receive {
            into = List.copyOf(into);
        }

        /** A receive into these segments, in this order. */
        public Receive(long id, LocalSegment... into) {
            this(id, List.of(into));
        }

        /** A receive into a native buffer: see {@link LocalSegment#of(MemorySegment)}. */
        public Receive(long id, MemorySegment into) {
            this(id, LocalSegment.of(into));
        }

        /** A receive into a direct buffer, from its position to its limit: see {@link LocalSegment#of(ByteBuffer)}. */
        public Receive(long id, ByteBuffer into) {
            this(id, LocalSegment.of(into));
        }
    }

    /** Sends a message into a receive of the peer. */
    record Send(long id, Payload data, SendOptions options) implements Sending {
        /** A signalled send of these segments; of a message of length zero without any. */
        public Send(long id, LocalSegment... data) {
            this(id, Payload.of(data), SendOptions.SIGNALLED);
        }

        /** A signalled send of a native buffer: see {@link LocalSegment#of(MemorySegment)}. */
        public Send(long id, MemorySegment data) {
            this(id, LocalSegment.of(data));
        }

        /** A signalled send of a direct buffer, from its position to its limit: see {@link LocalSegment#of(ByteBuffer)}. */
        public Send(long id, ByteBuffer data) {
            this(id, LocalSegment.of(data));
        }
    }

    /** Sends a message and 32 bits that stand in the peer's completion. */
    record SendWithImmediate(long id, Payload data, int immediate, SendOptions options) implements Sending {}

    /**
     * Sends a message and invalidates a key of the peer.
     *
     * @param key of a type 2 window or a reserved region of the peer
     */
    record SendWithInvalidate(long id, Payload data, int key, SendOptions options) implements Sending {}

    /**
     * Sends a message of one packet to a datagram queue pair.
     *
     * @param to port or group; an address handle of the sending queue pair's domain
     * @param queuePair number of the receiving queue pair; {@link #MULTICAST} for a group
     * @param qkey key of the receiving queue pair; a key with the top bit set stands for the sender's own
     */
    record SendDatagram(long id, Payload data, AddressHandle to, int queuePair, int qkey, SendOptions options)
            implements Sending {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it has more than 24 bits
         */
        public SendDatagram {
            requireNumber(queuePair);
        }
    }

    /**
     * Sends a message of one packet to a datagram queue pair, and 32 bits that stand in its completion.
     *
     * @param to port or group; an address handle of the sending queue pair's domain
     * @param queuePair number of the receiving queue pair; {@link #MULTICAST} for a group
     * @param qkey key of the receiving queue pair; a key with the top bit set stands for the sender's own
     */
    record SendDatagramWithImmediate(
            long id, Payload data, AddressHandle to, int queuePair, int qkey, int immediate, SendOptions options)
            implements Sending {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it has more than 24 bits
         */
        public SendDatagramWithImmediate {
            requireNumber(queuePair);
        }
    }

    /** Sends a raw packet of the queue pair's EtherType to the port of an address handle. */
    record SendRaw(long id, Payload data, AddressHandle to, SendOptions options) implements Sending {}

    /** Writes into the peer's memory; the peer's consumer is not told. */
    record Write(long id, Payload data, RemoteMemory target, SendOptions options) implements Sending {
        /** A signalled write of one segment. */
        public Write(long id, LocalSegment data, RemoteMemory target) {
            this(id, Payload.of(data), target, SendOptions.SIGNALLED);
        }

        /** A signalled write of a native buffer: see {@link LocalSegment#of(MemorySegment)}. */
        public Write(long id, MemorySegment data, RemoteMemory target) {
            this(id, LocalSegment.of(data), target);
        }

        /** A signalled write of a direct buffer, from its position to its limit: see {@link LocalSegment#of(ByteBuffer)}. */
        public Write(long id, ByteBuffer data, RemoteMemory target) {
            this(id, LocalSegment.of(data), target);
        }
    }

    /** Writes into the peer's memory and completes a receive of the peer with 32 bits. */
    record WriteWithImmediate(long id, Payload data, RemoteMemory target, int immediate, SendOptions options)
            implements Sending {}

    /**
     * Reads from the peer's memory; the peer's consumer is not told.
     *
     * @param into memory that the data goes into, segment after segment; its length is that of the read. The list is copied
     */
    record Read(long id, List<LocalSegment> into, RemoteMemory source, SendOptions options) implements Sending {
        /** Copies the list. */
        public Read {
            into = List.copyOf(into);
        }

        /** A signalled read into one segment. */
        public Read(long id, LocalSegment into, RemoteMemory source) {
            this(id, List.of(into), source, SendOptions.SIGNALLED);
        }

        /** A signalled read into a native buffer: see {@link LocalSegment#of(MemorySegment)}. */
        public Read(long id, MemorySegment into, RemoteMemory source) {
            this(id, LocalSegment.of(into), source);
        }

        /** A signalled read into a direct buffer, from its position to its limit: see {@link LocalSegment#of(ByteBuffer)}. */
        public Read(long id, ByteBuffer into, RemoteMemory source) {
            this(id, LocalSegment.of(into), source);
        }
    }

    /**
     * Adds to 8 bytes of the peer's memory, as one step for every other atomic.
     *
     * @param original 8 bytes of own memory that the value from before the addition goes into
     * @param target aligned to 8
     */
    record FetchAdd(long id, LocalSegment original, RemoteMemory target, long addend, SendOptions options)
            implements Sending {
        /**
         * Checks the length.
         *
         * @throws IllegalArgumentException if {@code original} has not 8 bytes
         */
        public FetchAdd {
            requireEightBytes(original);
        }

        /** A signalled one whose original value goes into a native buffer of 8 bytes: see {@link LocalSegment#of(MemorySegment)}. */
        public FetchAdd(long id, MemorySegment original, RemoteMemory target, long addend) {
            this(id, LocalSegment.of(original), target, addend, SendOptions.SIGNALLED);
        }
    }

    /**
     * Replaces 8 bytes of the peer's memory if they have the expected value, as one step for every other atomic.
     *
     * @param original 8 bytes of own memory that the value from before goes into, replaced or not
     * @param target aligned to 8
     */
    record CompareSwap(
            long id, LocalSegment original, RemoteMemory target, long expected, long replacement, SendOptions options)
            implements Sending {
        /**
         * Checks the length.
         *
         * @throws IllegalArgumentException if {@code original} has not 8 bytes
         */
        public CompareSwap {
            requireEightBytes(original);
        }

        /** A signalled one whose original value goes into a native buffer of 8 bytes: see {@link LocalSegment#of(MemorySegment)}. */
        public CompareSwap(long id, MemorySegment original, RemoteMemory target, long expected, long replacement) {
            this(id, LocalSegment.of(original), target, expected, replacement, SendOptions.SIGNALLED);
        }
    }

    /**
     * Writes 8 bytes of the peer's memory as one step: a reader sees all of them or none.
     *
     * @param value written as it stands in the memory of this machine
     * @param target aligned to 8
     */
    record AtomicWrite(long id, long value, RemoteMemory target, SendOptions options) implements Sending {}

    /**
     * Binds a window to a part of a region: peers reach the part under a new key.
     *
     * @param newKey index of the window with a new instance, see {@link MemoryKey#next}
     * @param regionKey key of the region, or the key that an earlier request of the same queue registers
     * @param address of the first byte of the part, under the region's key
     * @param length bytes of the part; 0 unbinds a type 1 window
     * @param rights of peers that use the new key
     * @param touches messages of peers for which the binding is valid
     */
    record BindWindow(
            long id,
            Window window,
            int newKey,
            int regionKey,
            long address,
            long length,
            Set<Right> rights,
            Touches touches,
            SendOptions options)
            implements Sending {
        /** Copies the set. */
        public BindWindow {
            rights = Set.copyOf(rights);
        }

        /**
         * Binds a window to a part of a region, under the key that the region has now.
         *
         * @throws IllegalStateException if the region is closed
         */
        public BindWindow(
                long id,
                Window window,
                int newKey,
                Region region,
                long address,
                long length,
                Set<Right> rights,
                Touches touches,
                SendOptions options) {
            this(id, window, newKey, region.key(), address, length, rights, touches, options);
        }

        /**
         * Binds a window for any number of messages.
         *
         * @throws IllegalStateException if the region is closed
         */
        public BindWindow(
                long id,
                Window window,
                int newKey,
                Region region,
                long address,
                long length,
                Set<Right> rights,
                SendOptions options) {
            this(id, window, newKey, region, address, length, rights, Touches.MANY, options);
        }
    }

    /** Invalidates the key of an own type 2 window or reserved region. */
    record LocalInvalidate(long id, int key, SendOptions options) implements Sending {}

    /**
     * Registers memory under a key that was reserved before. The consumer knows the key when it posts: requests that are posted after this one to the
     * same queue may name it. Invalidated by either side, the key can be registered once more, with other memory; requests of several registrations
     * of one key may be posted behind each other.
     *
     * <p>Only for a queue pair that {@linkplain QueuePairOptions#withRegister takes registrations}, whose options also decide what a failure does. It
     * completes with {@code LOCAL_QUEUE_PAIR_OPERATION_ERROR} then, and its {@link Completion#detail} says why: {@code NO_ROOM} for memory with more
     * pages than the key has room for, {@code BACKING_CLOSED} for memory that is closed, {@code ALREADY_VALID} for a key that is not invalidated,
     * {@code NO_ENTRY} for a region that is closed.
     *
     * @param key index of the reserved region, with an instance of the consumer's choice. With a {@linkplain MemoryKey#next new} one, peers cannot use
     *     the key of an earlier registration
     * @param memory of a region that was {@linkplain Adapter#reserve(org.verbena.memory.ProtectionDomain, int) reserved} with room for pages; null for a
     *     region that was reserved on memory, which becomes valid again
     * @param touches messages of peers for which the key is valid
     */
    record Register(long id, int key, @Nullable PreparedMemory memory, Touches touches, SendOptions options)
            implements Sending {
        /** Registers memory for any number of messages. */
        public Register(long id, int key, PreparedMemory memory, SendOptions options) {
            this(id, key, memory, Touches.MANY, options);
        }

        /** Makes a region that was reserved on memory valid. */
        public Register(long id, int key, Touches touches, SendOptions options) {
            this(id, key, null, touches, options);
        }

        /** Makes a region that was reserved on memory valid for any number of messages. */
        public Register(long id, int key, SendOptions options) {
            this(id, key, null, Touches.MANY, options);
        }
    }

    /**
     * Registers memory as {@link Register} does, then sends a message as {@link Send} does, in one step of the queue: usually the message tells the peer the
     * key. It has one completion, of operation {@code SEND}. If the registration fails nothing is sent, and the request completes as a failed {@link
     * Register}. If the message cannot be sent the key stays registered.
     *
     * @param key as in {@link Register}
     * @param memory as in {@link Register}
     * @param touches as in {@link Register}
     * @param data of the message; segments of it may lie in the memory, under the key
     */
    record RegisterAndSend(
            long id, int key, @Nullable PreparedMemory memory, Touches touches, Payload data, SendOptions options)
            implements Sending {
        /** Registers memory for any number of messages, and sends. */
        public RegisterAndSend(long id, int key, PreparedMemory memory, Payload data, SendOptions options) {
            this(id, key, memory, Touches.MANY, data, options);
        }
    }

    /** Number that stands for the queue pair in datagrams to a group. */
    int MULTICAST = 0xff_ffff;

    private static void requireNumber(int queuePair) {
        if ((queuePair & ~MULTICAST) != 0) {
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
