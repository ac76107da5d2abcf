package org.verbena.bench.memory;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** The best possible result on a trace with a given number of frames, and that of a well-known policy. */
final class Bound {
    private static final int NEVER = Integer.MAX_VALUE;

    private Bound() {}

    /**
     * Hits of the policy that knows the future (Belady's MIN): the page whose next use is farthest away loses its frame.
     *
     * @param from accesses before this one are not counted
     */
    static int belady(int[] trace, int frames, int from) {
        int[] nextUse = nextUses(trace);
        int pages = Arrays.stream(trace).max().orElse(0) + 1;
        int[] usedNext = new int[pages];
        boolean[] resident = new boolean[pages];
        // The farthest first; an outdated entry, with another time than its page, is skipped.
        PriorityQueue<long[]> farthest = new PriorityQueue<>((one, other) -> Long.compare(other[0], one[0]));
        int hits = 0;
        int used = 0;
        for (int i = 0; i < trace.length; i++) {
            int page = trace[i];
            if (resident[page]) {
                hits += i >= from ? 1 : 0;
            } else {
                if (used == frames) {
                    long[] victim = farthest.remove();
                    while (!resident[(int) victim[1]] || usedNext[(int) victim[1]] != victim[0]) {
                        victim = farthest.remove();
                    }
                    resident[(int) victim[1]] = false;
                } else {
                    used++;
                }
                resident[page] = true;
            }
            usedNext[page] = nextUse[i];
            farthest.add(new long[] {nextUse[i], page});
        }
        return hits;
    }

    private static int[] nextUses(int[] trace) {
        int[] seen = new int[Arrays.stream(trace).max().orElse(0) + 1];
        Arrays.fill(seen, NEVER);
        int[] next = new int[trace.length];
        for (int i = trace.length - 1; i >= 0; i--) {
            next[i] = seen[trace[i]];
            seen[trace[i]] = i;
        }
        return next;
    }

    /** Hits of the policy that evicts the least recently used page. */
    static int leastRecentlyUsed(int[] trace, int frames, int from) {
        Map<Integer, Boolean> resident = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
                return size() > frames;
            }
        };
        int hits = 0;
        for (int i = 0; i < trace.length; i++) {
            boolean hit = resident.put(trace[i], true) != null;
            hits += hit && i >= from ? 1 : 0;
        }
        return hits;
    }
}
