package org.verbena.services.ethernet;

import java.util.Arrays;

/** A set of ports of a switch. One object is filled again and again. */
public final class PortSet {
    private final long[] words;

    /** An empty set. */
    public PortSet(int portsMax) {
        words = new long[(portsMax + 63) >> 6];
    }

    /** Takes all ports out. */
    public void clear() {
        Arrays.fill(words, 0);
    }

    /** Puts a port in. */
    public void add(int port) {
        words[port >> 6] |= 1L << port;
    }

    /** Takes a port out. */
    public void remove(int port) {
        words[port >> 6] &= ~(1L << port);
    }

    /** Whether a port is in. */
    public boolean contains(int port) {
        return (words[port >> 6] >>> port & 1) != 0;
    }

    /** The lowest port from this one on that is in; −1 if there is none. */
    public int next(int from) {
        int word = from >> 6;
        if (word >= words.length) {
            return -1;
        }
        long left = words[word] & -1L << from;
        while (left == 0) {
            if (++word == words.length) {
                return -1;
            }
            left = words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(left);
    }

    /** Whether no port is in. */
    public boolean isEmpty() {
        return next(0) < 0;
    }
}
