package org.verbena.manage.manager;

import java.util.Arrays;

/**
 * The dependencies between channels of one service level, kept free of cycles: a path that goes from one channel to the next makes the first wait for the
 * second. Keeps a topological order of the channels and repairs it for each new dependency that does not fit (Pearce and Kelly, 2006).
 */
final class ChannelDependencies {
    private static final int WORDS = 4;

    private final SubnetGraph graph;
    private final ChannelNumbers numbers;
    /** By channel: the ports of the next switch that packets take from it, as bits. */
    private final long[] next;

    private final int[] place;
    private final int[] mark;
    private int marks;
    private int[] added = new int[64];
    private int addedCount;
    private final int[] ahead;
    private final int[] behind;
    private int aheadCount;
    private int behindCount;

    ChannelDependencies(SubnetGraph graph, ChannelNumbers numbers) {
        this.graph = graph;
        this.numbers = numbers;
        this.next = new long[numbers.count() * WORDS];
        this.place = new int[numbers.count()];
        for (int channel = 0; channel < place.length; channel++) {
            place[channel] = channel;
        }
        this.mark = new int[place.length];
        this.ahead = new int[place.length];
        this.behind = new int[place.length];
    }

    /** From here on, additions can be undone. */
    void begin() {
        addedCount = 0;
    }

    /** Removes what was added since {@link #begin}. */
    void undo() {
        for (int at = 0; at < addedCount; at += 2) {
            next[added[at] * WORDS + (added[at + 1] >>> 6)] &= ~(1L << added[at + 1]);
        }
        addedCount = 0;
    }

    /** Adds the dependencies of the path from a switch to a local identifier; false: one closes a cycle and is not added. */
    boolean addPath(int from, byte[][] tables, int lid) {
        int at = from;
        for (int hop = 0; hop <= HopCounts.HOPS_MAX; hop++) {
            int port = tables[at][lid] & 0xff;
            int peer = port == Routes.NO_PORT || port == 0 ? SubnetGraph.NONE : graph.peerSwitch(at, port);
            if (peer == SubnetGraph.NONE) {
                return true;
            }
            if (!addStep(at, tables, lid)) {
                return false;
            }
            at = peer;
        }
        return true;
    }

    /** Adds the dependency of a packet at a switch on the next switch's channel; false: it closes a cycle and is not added. */
    boolean addStep(int at, byte[][] tables, int lid) {
        int port = tables[at][lid] & 0xff;
        int peer = port == Routes.NO_PORT || port == 0 ? SubnetGraph.NONE : graph.peerSwitch(at, port);
        if (peer == SubnetGraph.NONE) {
            return true;
        }
        int then = tables[peer][lid] & 0xff;
        if (then == Routes.NO_PORT || then == 0 || graph.peerSwitch(peer, then) == SubnetGraph.NONE) {
            return true;
        }
        return add(numbers.of(at, port), numbers.of(peer, then), then);
    }

    private boolean add(int from, int to, int port) {
        int word = from * WORDS + (port >>> 6);
        long bit = 1L << port;
        if ((next[word] & bit) != 0) {
            return true;
        }
        if (place[from] >= place[to] && !reorder(from, to)) {
            return false;
        }
        next[word] |= bit;
        if (addedCount + 2 > added.length) {
            added = Arrays.copyOf(added, added.length * 2);
        }
        added[addedCount++] = from;
        added[addedCount++] = port;
        return true;
    }

    /** Makes {@code from} come before {@code to}; false: {@code from} can be reached from {@code to}. */
    private boolean reorder(int from, int to) {
        marks++;
        aheadCount = 0;
        behindCount = 0;
        if (!collectAhead(to, from)) {
            return false;
        }
        collectBehind(from, place[to]);
        int[] places = new int[aheadCount + behindCount];
        for (int at = 0; at < behindCount; at++) {
            places[at] = place[behind[at]];
        }
        for (int at = 0; at < aheadCount; at++) {
            places[behindCount + at] = place[ahead[at]];
        }
        Arrays.sort(places);
        sortByPlace(behind, behindCount);
        sortByPlace(ahead, aheadCount);
        int used = 0;
        for (int at = 0; at < behindCount; at++) {
            place[behind[at]] = places[used++];
        }
        for (int at = 0; at < aheadCount; at++) {
            place[ahead[at]] = places[used++];
        }
        return true;
    }

    private void sortByPlace(int[] channels, int count) {
        long[] keys = new long[count];
        for (int at = 0; at < count; at++) {
            keys[at] = (long) place[channels[at]] << 32 | channels[at];
        }
        Arrays.sort(keys);
        for (int at = 0; at < count; at++) {
            channels[at] = (int) keys[at];
        }
    }

    /** All channels that packets of {@code start} wait for, up to the place of {@code end}; false: {@code end} is among them. */
    private boolean collectAhead(int start, int end) {
        mark[start] = marks;
        ahead[aheadCount++] = start;
        for (int at = 0; at < aheadCount; at++) {
            int channel = ahead[at];
            int peer = graph.peerSwitch(numbers.switchOf(channel), numbers.portOf(channel));
            for (int word = 0; word < WORDS; word++) {
                for (long bits = next[channel * WORDS + word]; bits != 0; bits &= bits - 1) {
                    int then = numbers.of(peer, word * 64 + Long.numberOfTrailingZeros(bits));
                    if (then == end) {
                        return false;
                    }
                    if (mark[then] != marks && place[then] < place[end]) {
                        mark[then] = marks;
                        ahead[aheadCount++] = then;
                    }
                }
            }
        }
        return true;
    }

    /** All channels whose packets wait for {@code start}, from this place on. */
    private void collectBehind(int start, int lowest) {
        mark[start] = marks;
        behind[behindCount++] = start;
        for (int at = 0; at < behindCount; at++) {
            int channel = behind[at];
            int here = numbers.switchOf(channel);
            int port = numbers.portOf(channel);
            for (int input = 1; input <= graph.portCount(here); input++) {
                int peer = graph.peerSwitch(here, input);
                if (peer == SubnetGraph.NONE) {
                    continue;
                }
                int before = numbers.of(peer, graph.peerPort(here, input));
                if (mark[before] != marks
                        && place[before] > lowest
                        && (next[before * WORDS + (port >>> 6)] >>> port & 1) != 0) {
                    mark[before] = marks;
                    behind[behindCount++] = before;
                }
            }
        }
    }
}
