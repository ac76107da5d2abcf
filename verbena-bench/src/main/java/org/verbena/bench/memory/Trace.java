package org.verbena.bench.memory;

import java.util.Arrays;
import org.verbena.time.Seed;

/** The page of each access, in order. The same arguments give the same trace. */
enum Trace {
    /** Every page with the same probability. */
    UNIFORM("uniform") {
        @Override
        int[] draw(int pages, int accesses, Seed seed) {
            int[] trace = new int[accesses];
            Arrays.setAll(trace, _ -> (int) (seed.nextDouble() * pages));
            return trace;
        }
    },
    /** A few pages most of the time: the probability of the k-th is as 1/k<sup>0.99</sup>. */
    ZIPF("zipf 0.99") {
        @Override
        int[] draw(int pages, int accesses, Seed seed) {
            Zipf zipf = new Zipf(pages, EXPONENT);
            int[] scattered = scatter(pages, seed);
            int[] trace = new int[accesses];
            Arrays.setAll(trace, _ -> scattered[zipf.rank(seed.nextDouble())]);
            return trace;
        }
    },
    /** All pages in order, again and again. */
    SCAN("scan") {
        @Override
        int[] draw(int pages, int accesses, Seed seed) {
            int[] trace = new int[accesses];
            Arrays.setAll(trace, i -> i % pages);
            return trace;
        }
    },
    /** Half of the pages as in ZIPF, with scans of parts of the other half, whose pages are not read again soon. */
    ZIPF_AND_SCAN("zipf and scan") {
        @Override
        int[] draw(int pages, int accesses, Seed seed) {
            int half = Math.max(1, pages / 2);
            int[] hot = ZIPF.draw(half, accesses, seed);
            int next = 0;
            for (int i = 0; i < accesses; i++) {
                if (i / SCAN_LENGTH % 2 == 1) {
                    hot[i] = half + next++ % Math.max(1, pages - half);
                }
            }
            return hot;
        }
    };

    static final double EXPONENT = 0.99;
    private static final int SCAN_LENGTH = 256;

    private final String label;

    Trace(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    abstract int[] draw(int pages, int accesses, Seed seed);

    /** A random order of the pages, so that frequent pages are not neighbours. */
    private static int[] scatter(int pages, Seed seed) {
        int[] order = new int[pages];
        Arrays.setAll(order, i -> i);
        for (int i = pages - 1; i > 0; i--) {
            int j = (int) (seed.nextDouble() * (i + 1));
            int page = order[i];
            order[i] = order[j];
            order[j] = page;
        }
        return order;
    }
}
