package org.verbena.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.verbena.Operation;
import org.verbena.time.Seed;

/**
 * What a lane likes to do for a while. Drawn anew for every round, and lopsided on purpose: a run that does a little of
 * everything never does much of one thing.
 *
 * @param menu operations, each as often as it is liked
 * @param depth requests outstanding at once
 * @param lengthMax bytes of a message
 * @param signalled share of requests that ask for a completion
 * @param pauseNs how long it rests at most before it goes on
 */
record Appetite(List<Operation> menu, int depth, long lengthMax, double signalled, int segmentsMax, long pauseNs) {
    static final Appetite NONE = new Appetite(List.of(), 0, 0, 1, 1, 0);

    /** Operations a send queue takes; those at the end are of no use alone. */
    static final List<Operation> OPERATIONS = List.of(
            Operation.SEND,
            Operation.SEND_WITH_IMMEDIATE,
            Operation.WRITE,
            Operation.WRITE_WITH_IMMEDIATE,
            Operation.READ,
            Operation.FETCH_ADD,
            Operation.COMPARE_SWAP,
            Operation.SEND_WITH_INVALIDATE,
            Operation.BIND_WINDOW,
            Operation.LOCAL_INVALIDATE);

    private static final int USEFUL = 7;

    static Appetite draw(Seed seed, long lengthMax) {
        var menu = new ArrayList<Operation>();
        menu.add(OPERATIONS.get(seed.nextInt(USEFUL)));
        for (Operation operation : OPERATIONS) {
            menu.addAll(Collections.nCopies(seed.nextBoolean() ? 0 : 1 + seed.nextInt(4), operation));
        }
        return new Appetite(
                menu,
                1 << seed.nextInt(7),
                1 + Pieces.below(seed, lengthMax),
                switch (seed.nextInt(3)) {
                    case 0 -> 1;
                    case 1 -> 0.5;
                    default -> 0.05;
                },
                1 + seed.nextInt(8),
                seed.chance(0.2) ? 100_000 : 0);
    }

    Operation next(Seed seed) {
        return menu.get(seed.nextInt(menu.size()));
    }

    /** Nothing, a little, about a whole number of packets, or anything, but at most {@code most}. */
    long length(Seed seed, int mtu, long most) {
        long cap = Math.min(most, lengthMax);
        long drawn = switch (seed.nextInt(8)) {
            case 0 -> 0;
            case 1, 2 -> 1 + seed.nextInt(64);
            case 3, 4 -> (long) mtu * (1 + seed.nextInt(8)) + seed.nextInt(3) - 1;
            case 5, 6 -> Pieces.below(seed, Math.min(cap, 16L * mtu) + 1);
            default -> Pieces.below(seed, cap + 1);
        };
        return Math.min(drawn, cap);
    }
}
