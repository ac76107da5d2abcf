package org.verbena.services.ethernet;

/**
 * Addresses and the ports they are at, in open addressing with linear probing. A key is an address of 48 bits and a VLAN of 12 bits. Full at half its size, so
 * that searches stay short; the multiplier of the hash is secret, so that a host cannot choose addresses that collide.
 */
final class AddressTable {
    /** Slots that one {@link #oldEntry} looks at. */
    static final int AGE_SLOTS = 512;

    private final long[] keys;
    private final int[] ports;
    private final long[] timesNs;
    private final long multiplier;
    private final int shift;
    private int size;
    private int ageing;

    /**
     * Makes a table.
     *
     * @param entriesMax entries at most
     * @param secret of the hash
     */
    AddressTable(int entriesMax, long secret) {
        int slots = Integer.highestOneBit(Math.max(entriesMax, 8) * 2 - 1) << 1;
        keys = new long[slots];
        ports = new int[slots];
        timesNs = new long[slots];
        multiplier = secret | 1;
        shift = 64 - Integer.numberOfTrailingZeros(slots);
    }

    /** The key of an address in a VLAN. Never 0 for an address that is not 0. */
    static long key(long address, int vlan) {
        return address << 12 | vlan;
    }

    /** The slot of a key; −1 if it is not there. */
    int find(long key) {
        for (int slot = home(key); keys[slot] != 0; slot = slot + 1 & keys.length - 1) {
            if (keys[slot] == key) {
                return slot;
            }
        }
        return -1;
    }

    private int home(long key) {
        return (int) ((key * multiplier) >>> shift);
    }

    int port(int slot) {
        return ports[slot];
    }

    long timeNs(int slot) {
        return timesNs[slot];
    }

    /** Changes an entry. */
    void set(int slot, int port, long timeNs) {
        ports[slot] = port;
        timesNs[slot] = timeNs;
    }

    /** Adds an entry that is not there. The caller keeps the number of entries within the bound. */
    void add(long key, int port, long timeNs) {
        assert key != 0 && size < keys.length / 2 : size;
        int slot = home(key);
        while (keys[slot] != 0) {
            slot = slot + 1 & keys.length - 1;
        }
        keys[slot] = key;
        set(slot, port, timeNs);
        size++;
    }

    /** Takes an entry out, and moves those behind it, so that every search still finds its key. */
    void remove(int slot) {
        int hole = slot;
        for (int next = hole + 1 & keys.length - 1; keys[next] != 0; next = next + 1 & keys.length - 1) {
            int home = home(keys[next]);
            if ((next - home & keys.length - 1) >= (next - hole & keys.length - 1)) {
                keys[hole] = keys[next];
                set(hole, ports[next], timesNs[next]);
                hole = next;
            }
        }
        keys[hole] = 0;
        size--;
    }

    /** Takes all entries of a port out. */
    void removePort(int port) {
        for (int slot = 0; slot < keys.length; ) {
            if (keys[slot] != 0 && ports[slot] == port) {
                remove(slot); // an entry behind it may have moved here
            } else {
                slot++;
            }
        }
    }

    /**
     * Looks at the next slots for an entry whose time is before a limit.
     *
     * @return its slot; −1 if none was found. The caller calls again until then
     */
    int oldEntry(long beforeNs) {
        for (int looked = 0; looked < AGE_SLOTS && looked < keys.length; looked++) {
            int slot = ageing;
            if (keys[slot] != 0 && timesNs[slot] < beforeNs) {
                return slot;
            }
            ageing = slot + 1 & keys.length - 1;
        }
        return -1;
    }

    /** Entries now. */
    int size() {
        return size;
    }
}
