package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.services.push.wire.BufferRecvPool;
import org.verbena.services.push.wire.BufferRecvPoolGet;
import org.verbena.services.push.wire.BufferRecvPoolUpdate;
import org.verbena.services.push.wire.MessageFunction;
import org.verbena.services.push.wire.MessageHeader;
import org.verbena.services.push.wire.Refusal;
import org.verbena.verbs.PreparedTransfer;
import org.verbena.verbs.RemoteMemory;

/** The pools of both ends of a service connection: offers, requests for more, updates. {@link Flushes} has the end of pools. */
final class Pools {
    /** Pools of each end at most. */
    static final int POOLS_MAX = 16;
    /** Elements of all incoming pools for which a channel has receives at least. */
    static final int ELEMENTS_ROOM = 64;
    /** Context of a pool that the peer writes into. */
    private static final long SINK = 0;
    /** Context of a pool that the peer reads from. */
    private static final long SOURCE = 1;
    /** Time without an indication after which a pool of a peer that has no element left is taken for lost, on an unacknowledged channel. */
    private static final long LOST_NS = 10_000_000;

    private static final EnumSet<Right> SINK_RIGHTS =
            EnumSet.of(Right.LOCAL_READ, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
    private static final EnumSet<Right> SOURCE_RIGHTS = EnumSet.of(Right.LOCAL_READ, Right.REMOTE_READ);

    private final ServiceConnection connection;
    private final RdmaPath path;
    private final ServiceOptions options;
    private final ServiceCounters counters;
    private final Outflow out;
    private final Inflow in;
    private final @Nullable Pulls pulls;
    private final Flushes flushes;
    private final int elementsMax;
    private long ownBytes;

    /** @param pulls null if the peer pushes */
    Pools(ServiceConnection connection, RdmaPath path, Outflow out, Inflow in, @Nullable Pulls pulls) {
        this.connection = connection;
        this.path = path;
        this.options = connection.options();
        this.counters = connection.counters();
        this.out = out;
        this.in = in;
        this.pulls = pulls;
        this.flushes = new Flushes(connection, path, this, out, in);
        int elements = options.pools().stream().mapToInt(PoolShape::elements).sum();
        this.elementsMax = Math.max(elements, ELEMENTS_ROOM) * 2;
    }

    /** Whether a reference names a pool of this end: those of the end that connected are even. */
    boolean isOwn(int reference) {
        return ((reference & 1) == 0) == connection.isConnector();
    }

    private int freeReference() {
        for (int reference = connection.isConnector() ? 0 : 1; ; reference += 2) {
            if (in.pool(reference) == null && out.pool(reference) == null) {
                return reference;
            }
        }
    }

    // --- offers of this end

    /** Offers the pools of the options. */
    void offer(long nowNs) {
        if (!connection.pushes()) {
            for (PoolShape shape :
                    options.pools().reversed()) { // the largest elements first: the peer makes room for them
                path.sendOffer(createSource(shape)); // the indications of its elements follow on the same channel
            }
        }
        if (pulls == null) {
            List<BufferRecvPool> offers = new ArrayList<>();
            int most = BufferRecvPool.pools(connection.messageBytes());
            for (PoolShape shape : options.pools()) {
                if (offers.size() == most) {
                    connection.control().sendOffer(offers, connection.control().nextContext());
                    offers.clear();
                }
                offers.add(createSink(shape, false, nowNs));
            }
            connection.control().sendOffer(offers, connection.control().nextContext());
        }
    }

    private BufferRecvPool createSink(PoolShape shape, boolean extra, long nowNs) {
        PoolMemory memory = createMemory(shape, SINK_RIGHTS);
        boolean lossy = !options.data().acknowledged();
        IncomingPool pool = new IncomingPool(
                freeReference(),
                shape.elementBytes(),
                new IncomingElements(shape.elements(), lossy),
                memory,
                null,
                extra,
                nowNs);
        in.add(pool);
        return describe(SINK, memory, shape, pool.reference);
    }

    private BufferRecvPool createSource(PoolShape shape) {
        PoolMemory memory = createMemory(shape, SOURCE_RIGHTS);
        OutgoingPool pool = new OutgoingPool(
                freeReference(), shape.elementBytes(), new OutgoingElements(shape.elements()), null, null, memory);
        out.add(pool);
        return describe(SOURCE, memory, shape, pool.reference());
    }

    private PoolMemory createMemory(PoolShape shape, EnumSet<Right> rights) {
        PoolMemory memory =
                PoolMemory.create(connection.adapter(), connection.domain(), shape, rights, options.pageable());
        ownBytes += shape.bytes();
        return memory;
    }

    private static BufferRecvPool describe(long context, PoolMemory memory, PoolShape shape, int reference) {
        return new BufferRecvPool(
                context,
                memory.region().address(),
                memory.region().key(),
                shape.elements(),
                shape.elementBytes(),
                reference);
    }

    /** A pool of this end is gone. */
    void onGone(int elements, int elementBytes) {
        ownBytes -= (long) elements * elementBytes;
    }

    // --- messages of the peer

    @Nullable
    Refusal onMessage(MessageFunction function, MemorySegment memory, long at, int length, boolean control) {
        return switch (function) {
            case BUFFER_RECV_POOL -> onOffer(memory, at, length, control ? SINK : SOURCE);
            case BUFFER_RECV_POOL_GET -> onGet(memory, at);
            case BUFFER_RECV_POOL_UPDATE -> onUpdate(memory, at, length);
            case BUFFER_POOL_FLUSH_REQUEST -> flushes.onRequest(memory, at, length);
            case BUFFER_POOL_FLUSH_REPLY -> flushes.onReply(MessageHeader.context(memory, at));
            default -> Refusal.UNEXPECTED_MESSAGE;
        };
    }

    private @Nullable Refusal onOffer(MemorySegment memory, long at, int length, long kind) {
        int count = BufferRecvPool.pools(length);
        int bytesMax = 0;
        for (int i = 0; i < count; i++) {
            BufferRecvPool offer = BufferRecvPool.read(memory, at, i);
            Refusal refusal = offer.context() == kind ? judge(offer, count) : Refusal.UNEXPECTED_MESSAGE;
            if (refusal != null || isNamedBefore(memory, at, i, offer.reference())) {
                return refusal != null ? refusal : Refusal.DUPLICATE_POOL;
            }
            bytesMax = offer.context() == SOURCE ? Math.max(bytesMax, offer.elementBytes()) : bytesMax;
        }
        if (pulls != null && kind == SOURCE && !pulls.makeRoom(bytesMax)) {
            return Refusal.BAD_SHAPE;
        }
        for (int i = 0; i < count; i++) {
            accept(BufferRecvPool.read(memory, at, i));
        }
        connection.onPools();
        return null;
    }

    private static boolean isNamedBefore(MemorySegment memory, long at, int index, int reference) {
        for (int i = 0; i < index; i++) {
            if (BufferRecvPool.read(memory, at, i).reference() == reference) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Refusal judge(BufferRecvPool offer, int count) {
        if (!offer.hasShape(PoolShape.ELEMENTS_MAX, PoolShape.ELEMENT_BYTES_MAX)) {
            return Refusal.BAD_SHAPE;
        }
        if (isOwn(offer.reference())) {
            return Refusal.UNKNOWN_POOL;
        }
        if (in.pool(offer.reference()) != null || out.pool(offer.reference()) != null) {
            return Refusal.DUPLICATE_POOL;
        }
        boolean wanted = offer.context() == SINK ? connection.pushes() : offer.context() == SOURCE && pulls != null;
        if (!wanted) {
            return Refusal.UNEXPECTED_MESSAGE;
        }
        return in.pools().size() + out.poolCount() + count > 2 * POOLS_MAX ? Refusal.TOO_MANY_POOLS : null;
    }

    private void accept(BufferRecvPool offer) {
        RemoteMemory remote = new RemoteMemory(offer.address(), offer.key());
        if (offer.context() == SINK) {
            out.add(new OutgoingPool(
                    offer.reference(),
                    offer.elementBytes(),
                    new OutgoingElements(offer.elements()),
                    PreparedTransfer.writeWithImmediate(connection.sendRegion(), remote),
                    PreparedTransfer.write(connection.sendRegion(), remote),
                    null));
        } else {
            assert pulls != null : "judged";
            in.add(new IncomingPool(
                    offer.reference(),
                    offer.elementBytes(),
                    new IncomingElements(offer.elements(), false),
                    null,
                    pulls.prepare(remote),
                    false,
                    connection.nowNs()));
        }
    }

    private @Nullable Refusal onGet(MemorySegment memory, long at) {
        BufferRecvPoolGet wish = BufferRecvPoolGet.read(memory, at);
        if (!wish.hasShape(PoolShape.ELEMENTS_MAX, PoolShape.ELEMENT_BYTES_MAX)) {
            return Refusal.BAD_SHAPE;
        }
        if (pulls != null) {
            return Refusal.UNEXPECTED_MESSAGE; // this end writes nothing into pools of the peer
        }
        if (!options.data().acknowledged() && replaceLost(wish.elementBytes())) {
            return null;
        }
        boolean granted = grant(new PoolShape(wish.elements(), wish.elementBytes()), MessageHeader.context(memory, at));
        counters.add(granted ? ServiceCounter.GETS_GRANTED : ServiceCounter.GETS_IGNORED);
        return null;
    }

    /** Offers one more pool, if this is possible now. */
    private boolean grant(PoolShape shape, long context) {
        boolean room = !connection.isClosing()
                && ownBytes + shape.bytes() <= options.poolBytesMax()
                && in.pools().size() < POOLS_MAX
                && in.elementCount() + shape.elements() <= elementsMax
                && connection.control().hasRoom();
        if (!room) {
            return false;
        }
        BufferRecvPool offer;
        try {
            offer = createSink(shape, true, connection.nowNs());
        } catch (IllegalStateException e) {
            return false; // the adapter or the hypervisor has no room for it
        }
        connection.control().sendOffer(List.of(offer), context);
        return true;
    }

    /** Flushes a pool whose last transfers seem to be lost, and offers another one then; whether there is one. */
    private boolean replaceLost(int elementBytes) {
        for (IncomingPool pool : in.pools()) {
            if (pool.elementBytes == elementBytes && !pool.flushing && connection.nowNs() - pool.usedNs > LOST_NS) {
                return flushes.replace(pool);
            }
        }
        return false;
    }

    /** Offers a pool in place of one that was flushed. */
    void offerAgain(IncomingPool flushed, long nowNs) {
        if (connection.isClosing() || !connection.control().hasReplyRoom()) {
            return; // without room the peer asks again
        }
        PoolShape shape = new PoolShape(flushed.elements.count(), flushed.elementBytes);
        BufferRecvPool offer = createSink(shape, flushed.extra, nowNs);
        connection.control().sendOffer(List.of(offer), connection.control().nextContext());
    }

    private @Nullable Refusal onUpdate(MemorySegment memory, long at, int length) {
        int marked = 0;
        Refusal refusal = null;
        long part = BufferRecvPoolUpdate.firstPart(at);
        while (part < at + length && refusal == null) {
            OutgoingPool pool = out.pool(BufferRecvPoolUpdate.reference(memory, part));
            if (pool == null) {
                // An update may cross the flush of a pool by this end.
                refusal =
                        flushes.hasStopped(BufferRecvPoolUpdate.reference(memory, part)) ? null : Refusal.UNKNOWN_POOL;
            } else {
                int count = BufferRecvPoolUpdate.count(memory, part);
                for (int i = 0; i < count && refusal == null; i++) {
                    refusal = mark(pool, BufferRecvPoolUpdate.element(memory, part, i));
                    marked += refusal == null ? 1 : 0;
                }
            }
            part = BufferRecvPoolUpdate.nextPart(memory, part);
        }
        finishUpdate(memory, at, marked, refusal == null);
        return refusal;
    }

    private static @Nullable Refusal mark(OutgoingPool pool, int element) {
        if (!pool.elements().has(element)) {
            return Refusal.ELEMENT_OUT_OF_RANGE;
        }
        return pool.elements().beginReturn(element) ? null : Refusal.ELEMENT_NOT_CONSUMED;
    }

    /** Ends the return of the first elements of an update, which {@link #onUpdate} has marked: they are available, or consumed as before. */
    private void finishUpdate(MemorySegment memory, long at, int marked, boolean accepted) {
        int left = marked;
        for (long part = BufferRecvPoolUpdate.firstPart(at);
                left > 0;
                part = BufferRecvPoolUpdate.nextPart(memory, part)) {
            OutgoingPool pool = out.pool(BufferRecvPoolUpdate.reference(memory, part));
            if (pool != null) {
                int count = Math.min(left, BufferRecvPoolUpdate.count(memory, part));
                finishPart(pool.elements(), memory, part, count, accepted);
                left -= count;
            }
        }
    }

    private static void finishPart(
            OutgoingElements elements, MemorySegment memory, long part, int count, boolean accepted) {
        for (int i = 0; i < count; i++) {
            int element = BufferRecvPoolUpdate.element(memory, part, i);
            if (accepted) {
                elements.endReturn(element);
            } else {
                elements.cancelReturn(element);
            }
        }
    }

    // --- the end

    int endTurn(long nowNs) {
        IncomingPool unused = in.unused(nowNs);
        if (unused != null) {
            flushes.flush(unused);
        }
        return flushes.send();
    }

    void beginFlush() {
        flushes.beginAll();
    }

    boolean isFlushed() {
        return flushes.isOver();
    }

    void close() {
        in.close();
        for (OutgoingPool pool : out.pools()) {
            if (pool.memory() != null) {
                pool.memory().close();
            }
        }
    }
}
