package org.verbena.bench.memory;

import java.util.Arrays;

/** Ranks of which the k-th has a probability as 1/k<sup>exponent</sup>: from a table of sums, exact. */
final class Zipf {
    private final double[] sums;

    Zipf(int ranks, double exponent) {
        sums = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += Math.pow(rank + 1.0, -exponent);
            sums[rank] = sum;
        }
        for (int rank = 0; rank < ranks; rank++) {
            sums[rank] /= sum;
        }
    }

    /** The rank, from 0, for a number from 0 to below 1. */
    int rank(double chance) {
        int found = Arrays.binarySearch(sums, chance);
        return Math.min(sums.length - 1, found < 0 ? -found - 1 : found + 1);
    }

    /** The probability of a rank. */
    double probability(int rank) {
        return rank == 0 ? sums[0] : sums[rank] - sums[rank - 1];
    }
}
