package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.agent.ManagedPort;

/** A tool at a port of the fabric. */
final class Client implements MadReceiver {
    /** How often a request that the fabric has lost is sent again before the client hears of it, as kernels do. */
    static final int REPEATS_MAX = 3;

    private final int slot;
    private final ManagedPort port;
    private final InetSocketAddress control;
    private final InetSocketAddress data;
    private final ClientTable table;
    private final Postbox postbox;
    private final OutstandingRequests outstanding = new OutstandingRequests();
    private final BitSet classesAnswered = new BitSet(256);
    private @Nullable MadPort mads;

    private boolean manager;
    private boolean hasAsked;
    private boolean hasAskedSubnet;
    private boolean gone;
    private long lastNs;

    Client(
            int slot,
            ManagedPort port,
            InetSocketAddress control,
            InetSocketAddress data,
            ClientTable table,
            Postbox postbox) {
        this.slot = slot;
        this.port = port;
        this.control = control;
        this.data = data;
        this.table = table;
        this.postbox = postbox;
    }

    void attach(Attaching fabric, long nowNs) {
        mads = fabric.attach(port, this);
        lastNs = nowNs;
    }

    int slot() {
        return slot;
    }

    ManagedPort port() {
        return port;
    }

    InetSocketAddress data() {
        return data;
    }

    boolean isFrom(InetSocketAddress source) {
        return control.equals(source);
    }

    int lid() {
        return mads == null ? 0 : mads.lid();
    }

    /** When a message of the client arrived last. */
    long lastNs() {
        return lastNs;
    }

    void seen(long nowNs) {
        lastNs = nowNs;
    }

    boolean isManager() {
        return manager;
    }

    void manager(boolean now) {
        if (manager != now && mads != null) {
            manager = now;
            mads.isManager(now);
        }
    }

    /**
     * Whether datagrams to the subnet manager are for this client. A manager has sent subnet management datagrams before it gets any. A tool that only
     * listens may have told that it is a manager, too; it would end by an error if it got them.
     */
    boolean servesSubnet() {
        return manager && hasAskedSubnet;
    }

    /** Whether the client has only listened so far, as servers of a vendor's class do. */
    boolean onlyListens() {
        return !hasAsked;
    }

    boolean hasAnswered(int managementClass) {
        return classesAnswered.get(managementClass);
    }

    boolean isGone() {
        return gone;
    }

    void onGone() {
        gone = true;
    }

    /** The client sends a datagram. */
    void send(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
        int managementClass = MadWords.managementClass(mad);
        if (MadWords.isResponse(mad)) {
            classesAnswered.set(managementClass);
        } else if (MadWords.method(mad) != MadWords.METHOD_TRAP_REPRESS) {
            // A repression has the transaction of its trap, and is not answered.
            MadWords.markSlot(mad, slot);
            outstanding.put(mad, targetLid, targetQueuePair, sourceQueuePair);
            hasAsked = true;
            hasAskedSubnet |= MadWords.isSubnet(managementClass);
        }
        if (mads != null) {
            mads.send(mad, targetLid, targetQueuePair, sourceQueuePair);
        }
    }

    @Override
    public boolean onMad(
            long nowNs, MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair) {
        if (gone) {
            return false;
        }
        if (!MadWords.isResponse(mad)) {
            if (table.listener(port, MadWords.managementClass(mad)) != this) {
                return false;
            }
        } else if (!MadWords.isOfSlot(mad, slot)) {
            return false;
        } else {
            forget(mad);
        }
        postbox.deliver(this, mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair);
        return true;
    }

    private void forget(MemorySegment mad) {
        int place = outstanding.find(mad);
        if (place >= 0) {
            outstanding.remove(place);
        }
    }

    @Override
    public void onLost(long nowNs, MemorySegment mad, int targetLid) {
        if (gone || MadWords.method(mad) == MadWords.METHOD_TRAP_REPRESS) {
            return;
        }
        int place = outstanding.find(mad);
        if (place >= 0) {
            repeatOrBounce(place);
        } else {
            int queuePair = MadWords.isSubnet(MadWords.managementClass(mad)) ? 0 : 1;
            postbox.bounce(this, mad, targetLid, queuePair, queuePair);
        }
    }

    private void repeatOrBounce(int place) {
        MemorySegment mad = outstanding.at(place);
        int targetLid = outstanding.targetLid(place);
        int targetQueuePair = outstanding.targetQueuePair(place);
        int sourceQueuePair = outstanding.sourceQueuePair(place);
        if (mads != null && outstanding.repeat(place, REPEATS_MAX)) {
            postbox.tally().repeated++;
            mads.send(mad, targetLid, targetQueuePair, sourceQueuePair);
        } else {
            outstanding.remove(place);
            postbox.bounce(this, mad, targetLid, sourceQueuePair, targetQueuePair);
        }
    }

    /** Leaves the fabric. */
    void close() {
        gone = true;
        MadPort attached = mads;
        if (attached != null) {
            manager(false);
            mads = null;
            attached.close();
        }
    }
}
