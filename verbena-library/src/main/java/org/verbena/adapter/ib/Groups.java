package org.verbena.adapter.ib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Limits;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.Packet;

/**
 * Memberships of queue pairs in multicast groups; a group is an address and a port. The link joins a group with its first member and
 * leaves it with its last.
 */
public final class Groups {
    private final Link link;
    /** Numbers of queue pairs. */
    private int[] members = new int[8];

    private @Nullable Endpoint[] groups = new @Nullable Endpoint[8];
    // Numbers of the groups: an endpoint would have to compute them for each packet.
    private long[] high = new long[8];
    private long[] low = new long[8];
    private int[] port = new int[8];
    private int count;

    public Groups(Link link) {
        this.link = link;
    }

    /**
     * The queue pair gets packets that are sent to the group; joining again does nothing.
     *
     * @throws org.verbena.link.LinkException if the link can't join
     */
    public void join(int queuePair, Endpoint group) {
        if (indexOf(queuePair, group) >= 0) {
            return;
        }
        if (count == Limits.MEMBERSHIPS_MAX) {
            throw new IllegalStateException("the adapter's queue pairs have joined groups " + count + " times already");
        }
        if (!hasMember(group)) {
            link.join(group);
        }
        if (count == members.length) {
            grow(count * 2);
        }
        members[count] = queuePair;
        groups[count] = group;
        high[count] = group.high();
        low[count] = group.low();
        port[count] = group.port();
        count++;
    }

    private void grow(int length) {
        members = Arrays.copyOf(members, length);
        groups = Arrays.copyOf(groups, length);
        high = Arrays.copyOf(high, length);
        low = Arrays.copyOf(low, length);
        port = Arrays.copyOf(port, length);
    }

    /** The opposite of {@link #join}; does nothing if it is no member. */
    public void leave(int queuePair, Endpoint group) {
        int index = indexOf(queuePair, group);
        if (index >= 0) {
            remove(index, group);
        }
    }

    /** The queue pair leaves every group it has joined. */
    public void leaveAll(int queuePair) {
        for (int i = count - 1; i >= 0; i--) {
            Endpoint group = groups[i];
            if (group != null && members[i] == queuePair) {
                remove(i, group);
            }
        }
    }

    private void remove(int index, Endpoint group) {
        count--;
        members[index] = members[count];
        groups[index] = groups[count];
        high[index] = high[count];
        low[index] = low[count];
        port[index] = port[count];
        groups[count] = null;
        if (!hasMember(group)) {
            link.leave(group);
        }
    }

    /** Index, from {@code from} on, of the next member of the group that the packet was sent to; −1 when there is none. */
    int next(Packet packet, int from) {
        for (int i = from; i < count; i++) {
            if (low[i] == packet.targetLow() && high[i] == packet.targetHigh() && port[i] == packet.targetPort()) {
                return i;
            }
        }
        return -1;
    }

    /** Number of the queue pair that is the member with this index. */
    int member(int index) {
        return members[index];
    }

    private int indexOf(int queuePair, Endpoint group) {
        for (int i = 0; i < count; i++) {
            if (members[i] == queuePair && group.equals(groups[i])) {
                return i;
            }
        }
        return -1;
    }

    private boolean hasMember(Endpoint group) {
        for (int i = 0; i < count; i++) {
            if (group.equals(groups[i])) {
                return true;
            }
        }
        return false;
    }
}
