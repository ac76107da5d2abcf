package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.Packet;

/** Which queue pairs have joined which multicast groups. The link joins with the first and leaves with the last of them. */
public final class Groups {
    private final Link link;
    private @Nullable Transport[] members = new @Nullable Transport[8];
    private long[] high = new long[8];
    private long[] low = new long[8];
    private int count;

    Groups(Link link) {
        this.link = link;
    }

    /**
     * The queue pair gets what is sent to the group; joining again does nothing.
     *
     * @throws org.verbena.link.LinkException if the link can't join
     */
    public void join(Transport transport, Endpoint group) {
        if (indexOf(transport, group.high(), group.low()) >= 0) {
            return;
        }
        if (count == Limits.MEMBERSHIPS_MAX) {
            throw new IllegalStateException("the adapter's queue pairs have joined groups " + count + " times already");
        }
        if (!hasMember(group.high(), group.low())) {
            link.join(group);
        }
        if (count == members.length) {
            members = Arrays.copyOf(members, count * 2);
            high = Arrays.copyOf(high, count * 2);
            low = Arrays.copyOf(low, count * 2);
        }
        members[count] = transport;
        high[count] = group.high();
        low[count] = group.low();
        count++;
    }

    /** The opposite of {@link #join}; does nothing if it is no member. */
    public void leave(Transport transport, Endpoint group) {
        int index = indexOf(transport, group.high(), group.low());
        if (index >= 0) {
            remove(index);
        }
    }

    /** The queue pair leaves every group it has joined. */
    void leaveAll(Transport transport) {
        for (int i = count - 1; i >= 0; i--) {
            if (transport.equals(members[i])) {
                remove(i);
            }
        }
    }

    private void remove(int index) {
        long groupHigh = high[index];
        long groupLow = low[index];
        count--;
        members[index] = members[count];
        high[index] = high[count];
        low[index] = low[count];
        members[count] = null;
        if (!hasMember(groupHigh, groupLow)) {
            link.leave(Endpoint.of(groupHigh, groupLow, link.local().port()));
        }
    }

    /** The member from this index on that the packet's target is a group of; null when there is none. */
    int next(Packet packet, int from) {
        for (int i = from; i < count; i++) {
            if (high[i] == packet.targetHigh() && low[i] == packet.targetLow()) {
                return i;
            }
        }
        return -1;
    }

    @Nullable
    Transport member(int index) {
        return members[index];
    }

    private int indexOf(Transport transport, long groupHigh, long groupLow) {
        for (int i = 0; i < count; i++) {
            if (transport.equals(members[i]) && high[i] == groupHigh && low[i] == groupLow) {
                return i;
            }
        }
        return -1;
    }

    private boolean hasMember(long groupHigh, long groupLow) {
        for (int i = 0; i < count; i++) {
            if (high[i] == groupHigh && low[i] == groupLow) {
                return true;
            }
        }
        return false;
    }
}
