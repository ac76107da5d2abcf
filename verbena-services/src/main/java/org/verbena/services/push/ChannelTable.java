package org.verbena.services.push;

import org.jspecify.annotations.Nullable;

/** Channels by the numbers of their queue pairs. Looking up allocates nothing. */
final class ChannelTable {
    private @Nullable Channel[] slots = new @Nullable Channel[16];
    private int count;

    void add(Channel channel) {
        if (++count * 2 > slots.length) {
            @Nullable Channel[] old = slots;
            slots = new @Nullable Channel[old.length * 2];
            for (Channel moved : old) {
                if (moved != null) {
                    place(moved);
                }
            }
        }
        place(channel);
    }

    private void place(Channel channel) {
        int at = first(channel.queuePair().number());
        while (slots[at] != null) {
            at = (at + 1) & (slots.length - 1);
        }
        slots[at] = channel;
    }

    private int first(int number) {
        return ((number * 0x9e37_79b9) >>> 16) & (slots.length - 1);
    }

    @Nullable
    Channel find(int number) {
        for (int at = first(number); ; at = (at + 1) & (slots.length - 1)) {
            Channel channel = slots[at];
            if (channel == null || channel.queuePair().number() == number) {
                return channel;
            }
        }
    }

    /** Removes a channel; false if it is not there. */
    boolean remove(Channel channel) {
        if (find(channel.queuePair().number()) != channel) {
            return false;
        }
        @Nullable Channel[] old = slots;
        slots = new @Nullable Channel[old.length];
        for (Channel kept : old) {
            if (kept != null && kept != channel) {
                place(kept);
            }
        }
        count--;
        return true;
    }
}
