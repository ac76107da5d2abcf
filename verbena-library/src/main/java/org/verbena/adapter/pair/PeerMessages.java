package org.verbena.adapter.pair;

import org.jspecify.annotations.Nullable;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.RegionIo;

/**
 * Messages of a peer that are under way: writes of several packets, and reads that are being answered. Each is counted as an operation on
 * its region, if the region's owner wishes it, from its first part to its last, so that the region is not swapped out between them. Each has a
 * place, from 0 on. The engine's thread.
 */
public final class PeerMessages {
    private static final @Nullable RegionIo[] NONE = new RegionIo[0];

    private final ProtectionTable memory;
    private final int max;
    /** Made when the first message is counted: most connections have none. */
    private @Nullable RegionIo[] counted = NONE;

    /** For so many messages at once. */
    public PeerMessages(ProtectionTable memory, int max) {
        this.memory = memory;
        this.max = max;
    }

    /** Whether messages are counted at all: if not, nothing else need be called. */
    public boolean isCounting() {
        return memory.countsMessages();
    }

    /** A message begins, unless one is under way at this place. Its access was judged, and its first byte is not copied yet. */
    public void begin(int place, int key) {
        if (!memory.countsMessages() || isUnderWay(place)) {
            return;
        }
        RegionIo region = memory.beginMessage(key);
        if (region != null) {
            if (counted.length == 0) {
                counted = new RegionIo[max];
            }
            counted[place] = region;
        }
    }

    private boolean isUnderWay(int place) {
        return counted.length > 0 && counted[place] != null;
    }

    /** The message at this place has ended or never becomes whole. Does nothing if none is counted there. */
    public void end(int place) {
        if (counted.length == 0) {
            return;
        }
        RegionIo region = counted[place];
        if (region != null) {
            counted[place] = null;
            region.endMessage();
        }
    }

    /** All messages have ended. */
    public void endAll() {
        for (int place = 0; place < counted.length; place++) {
            end(place);
        }
    }
}
