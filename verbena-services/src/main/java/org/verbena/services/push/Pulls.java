package org.verbena.services.push;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.Region;
import org.verbena.verbs.PreparedTransfer;
import org.verbena.verbs.RemoteMemory;

/** Reads data that the peer has indicated, in order, and delivers them. */
final class Pulls {
    /** Reads that are under way at most. */
    static final int READS_MAX = 16;
    /** Bytes of memory for reads at most, unless this end may have pools of more bytes. */
    static final long LANDING_BYTES_MAX = 16 << 20;
    /** Tags of reads in the log of the channel begin here. */
    static final int TAG = 1 << 30;

    private static final EnumSet<Right> LANDING_RIGHTS = EnumSet.of(Right.LOCAL_READ, Right.LOCAL_WRITE);

    private final ServiceConnection connection;
    private final RdmaPath path;
    private final Inflow in;
    private final ServiceCounters counters;
    /** The reads under way, by the number of the read. */
    private final @Nullable IncomingPool[] pools = new @Nullable IncomingPool[READS_MAX];

    private final int[] elements = new int[READS_MAX];
    private final int[] sizes = new int[READS_MAX];
    private long begun;
    private long landed;
    private long delivered;
    private int landingBytes;
    private @Nullable Arena arena;
    private @Nullable MemorySegment landing;
    private @Nullable Region region;

    Pulls(ServiceConnection connection, RdmaPath path, Inflow in) {
        this.connection = connection;
        this.path = path;
        this.in = in;
        this.counters = connection.counters();
    }

    /**
     * Makes room for elements of a size, at the first offer of the peer, which has the largest ones.
     *
     * @return false if there is room for smaller ones only, or this end has no memory for so large ones
     */
    boolean makeRoom(int elementBytes) {
        if (elementBytes <= landingBytes) {
            return true;
        }
        if (landingBytes > 0
                || (long) READS_MAX * elementBytes
                        > Math.max(LANDING_BYTES_MAX, connection.options().poolBytesMax())) {
            return false;
        }
        Arena made = Arena.ofShared();
        arena = made;
        landing = made.allocate((long) READS_MAX * elementBytes, 64);
        region = connection.adapter().register(connection.domain(), landing, LANDING_RIGHTS);
        landingBytes = elementBytes;
        return true;
    }

    /** The read of elements of a pool, for which there is room. */
    PreparedTransfer prepare(RemoteMemory source) {
        Region into = region;
        assert into != null : "makeRoom was called";
        return PreparedTransfer.read(into, source);
    }

    /** Begins reads of indicated data; their number. */
    int read() {
        int reads = 0;
        Arrivals arrivals = in.arrivals();
        while (!arrivals.isEmpty()
                && begun - delivered < READS_MAX
                && path.channel().hasRoom()) {
            IncomingPool pool = arrivals.pool();
            PreparedTransfer read = pool.read;
            assert read != null : "a pool of a peer that is read";
            int index = (int) (begun % READS_MAX);
            pools[index] = pool;
            elements[index] = arrivals.element();
            sizes[index] = arrivals.size();
            arrivals.removeFirst();
            path.channel()
                    .post(
                            read,
                            TAG + index,
                            (long) index * landingBytes,
                            sizes[index],
                            pool.offset(elements[index]),
                            0);
            begun++;
            reads++;
        }
        counters.add(ServiceCounter.READS, reads);
        return reads;
    }

    /** A read is done; reads are done in order. */
    void onRead(int index) {
        assert index == landed % READS_MAX : index;
        landed++;
        connection.onReady();
    }

    int deliver(int most) {
        int count = 0;
        while (delivered < landed && count < most) {
            int index = (int) (delivered % READS_MAX);
            IncomingPool pool = pools[index];
            MemorySegment memory = landing;
            assert pool != null && memory != null : "a read under way has both";
            connection.deliver(memory, (long) index * landingBytes, sizes[index]);
            count++;
            if (connection.isClosed()) {
                return count;
            }
            delivered++;
            pools[index] = null;
            in.release(pool, elements[index], connection.nowNs());
        }
        return count;
    }

    /** Gives the memory back; the channel is closed, or nothing is under way. */
    void close() {
        if (region != null) {
            region.close();
            region = null;
        }
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }
}
