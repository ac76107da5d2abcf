package org.verbena.verbs;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.verbena.Right;
import org.verbena.memory.Region;

/**
 * A descriptor of memory at the other end: what writes, reads and atomics name. Its owner hands it over to the peer: by {@link
 * #encode}, by the options of a connection, or by any other way. It grants nothing: the owner's adapter judges each access by the
 * key. Immutable.
 *
 * <p>The encoding has {@value #ENCODED_LENGTH} bytes and is described in {@code docs/reference/remote-memory.md}.
 *
 * @param address of the first byte, under the key
 * @param key of a region or a window of the peer
 * @param length bytes from the address on; {@link #LENGTH_UNKNOWN} if the owner has not told it
 * @param rights remote rights that the owner has told; empty if it has told none
 */
public record RemoteMemory(long address, int key, long length, Set<Right> rights) {
    /** The value of {@link #length} of memory whose length is not known. */
    public static final long LENGTH_UNKNOWN = -1;
    /** Bytes of an encoded descriptor. */
    public static final int ENCODED_LENGTH = 24;

    private static final int VERSION = 1;
    private static final int MARK = 0x5652;
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int ATOMIC = 4;
    private static final int ALL = READ | WRITE | ATOMIC;

    /** All sets of remote rights, by their bits: a descriptor that a consumer makes per request makes no set. */
    private static final List<Set<Right>> SETS =
            IntStream.rangeClosed(0, ALL).mapToObj(RemoteMemory::set).toList();

    /**
     * Keeps the remote ones of the rights.
     *
     * @throws IllegalArgumentException if the length is negative and not {@link #LENGTH_UNKNOWN}
     */
    public RemoteMemory {
        if (length < LENGTH_UNKNOWN) {
            throw new IllegalArgumentException(
                    "a length of 0 or more expected, or -1 for an unknown one; found " + length);
        }
        rights = SETS.get(bits(rights));
    }

    /** Memory of which only address and key are known. */
    public RemoteMemory(long address, int key) {
        this(address, key, LENGTH_UNKNOWN, SETS.getFirst());
    }

    /**
     * All of a region, to be told to a peer: with its length, and its remote rights.
     *
     * @throws IllegalStateException if the region is closed
     */
    public static RemoteMemory of(Region region) {
        return new RemoteMemory(region.address(), region.key(), region.length(), region.rights());
    }

    /**
     * The memory from {@code offset} bytes on, under the same key and with the same rights. A known length is that of the rest; it
     * is 0 if the offset is behind the end.
     */
    public RemoteMemory plus(long offset) {
        long rest = length == LENGTH_UNKNOWN ? LENGTH_UNKNOWN : Math.max(0, length - offset);
        return new RemoteMemory(address + offset, key, rest, rights);
    }

    /** The encoded descriptor: {@value #ENCODED_LENGTH} bytes, the caller's. */
    public byte[] encode() {
        byte[] bytes = new byte[ENCODED_LENGTH];
        encode(ByteBuffer.wrap(bytes));
        return bytes;
    }

    /**
     * Writes the encoded descriptor at the position of a buffer, which moves behind it. The byte order of the buffer has no effect.
     *
     * @throws BufferOverflowException if the buffer has less than {@value #ENCODED_LENGTH} bytes left; nothing is written
     */
    public void encode(ByteBuffer to) {
        if (to.remaining() < ENCODED_LENGTH) {
            throw new BufferOverflowException();
        }
        ByteOrder order = to.order();
        to.order(ByteOrder.BIG_ENDIAN)
                .put((byte) VERSION)
                .put((byte) bits(rights))
                .putShort((short) MARK)
                .putInt(key)
                .putLong(address)
                .putLong(length)
                .order(order);
    }

    /**
     * Reads the encoded descriptor that the bytes begin with; more bytes may follow.
     *
     * @throws IllegalArgumentException if they do not begin with one, or its version is another one; the message says which
     */
    public static RemoteMemory decode(byte[] bytes) {
        return decode(ByteBuffer.wrap(bytes));
    }

    /**
     * Reads the encoded descriptor at the position of a buffer, which moves behind it. The byte order of the buffer has no effect.
     *
     * @throws IllegalArgumentException if there is none, or its version is another one; the message says which, and the position
     *     stays
     */
    public static RemoteMemory decode(ByteBuffer from) {
        if (from.remaining() < ENCODED_LENGTH) {
            throw new IllegalArgumentException(
                    "a descriptor of remote memory has " + ENCODED_LENGTH + " bytes; found " + from.remaining());
        }
        ByteBuffer view = from.slice(from.position(), ENCODED_LENGTH).order(ByteOrder.BIG_ENDIAN);
        int version = view.get() & 0xff;
        int bits = view.get() & 0xff;
        int mark = view.getShort() & 0xffff;
        if (mark != MARK) {
            throw new IllegalArgumentException("no descriptor of remote memory: bytes 2 and 3 must be 0x"
                    + Integer.toHexString(MARK) + "; found 0x" + Integer.toHexString(mark));
        }
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a descriptor of remote memory of version " + VERSION + " expected; found version " + version);
        }
        if ((bits & ~ALL) != 0) {
            throw new IllegalArgumentException(
                    "unknown rights in a descriptor of remote memory: 0x" + Integer.toHexString(bits));
        }
        int key = view.getInt();
        long address = view.getLong();
        RemoteMemory memory = new RemoteMemory(address, key, view.getLong(), SETS.get(bits));
        from.position(from.position() + ENCODED_LENGTH);
        return memory;
    }

    private static Set<Right> set(int bits) {
        Set<Right> set = EnumSet.noneOf(Right.class);
        if ((bits & READ) != 0) {
            set.add(Right.REMOTE_READ);
        }
        if ((bits & WRITE) != 0) {
            set.add(Right.REMOTE_WRITE);
        }
        if ((bits & ATOMIC) != 0) {
            set.add(Right.REMOTE_ATOMIC);
        }
        return Set.copyOf(set);
    }

    private static int bits(Set<Right> rights) {
        return (rights.contains(Right.REMOTE_READ) ? READ : 0)
                | (rights.contains(Right.REMOTE_WRITE) ? WRITE : 0)
                | (rights.contains(Right.REMOTE_ATOMIC) ? ATOMIC : 0);
    }
}
