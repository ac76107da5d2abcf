package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of the quiesce protocol: consumers, an engine, the hypervisor and a deregistration, over the real
 * state word and the real current-I/O field. A step is one method of theirs, each of which takes effect at one moment.
 *
 * <p>States are found breadth first and told apart by what all parties know; a state is reached again by repeating the
 * steps that first led to it.
 */
final class QuiesceSearchTest {
    /** A step that an actor may take: the actor, and the branch if there are several. */
    private record Step(int actor, int choice) {}

    @Test
    void consumersEngineHypervisorAndOneThatPromises() {
        search(new Cast(2, 1, true, false, 2, true, false), 10_000);
    }

    @Test
    void aSecondRoundAfterAResume() {
        search(new Cast(1, 2, true, false, 3, true, false), 5_000);
    }

    @Test
    void deregistrationAtAnyMoment() {
        search(new Cast(1, 1, true, false, 2, true, true), 10_000);
    }

    @Test
    void nobodyCallsOff() {
        search(new Cast(2, 1, false, false, 2, false, true), 10_000);
    }

    @Test
    void oneWhoWaitsForQuiesceToEndBeforeHeIsQuiet() {
        search(new Cast(1, 1, false, true, 2, false, false), 500);
        search(new Cast(1, 1, false, true, 2, true, true), 10_000);
    }

    @Test
    void consumersInAnotherProcess() {
        search(new Cast(2, 1, true, false, 2, true, false).inAnotherProcess(), 10_000);
    }

    @Test
    void consumersInAnotherProcessAndADeregistrationAtAnyMoment() {
        search(new Cast(1, 1, true, false, 2, true, true).inAnotherProcess(), 10_000);
        search(new Cast(1, 1, false, true, 2, false, false).inAnotherProcess(), 500);
    }

    @Test
    void noMessageOfAPeerIsCut() {
        search(new Cast(0, 1, false, false, 2, true, false).withPeer(), 100);
        search(new Cast(0, 1, false, false, 1, true, true).inAnotherProcess().withPeer(), 100);
    }

    private static void search(Cast cast, int leastStates) {
        Set<String> known = new HashSet<>();
        ArrayDeque<List<Step>> next = new ArrayDeque<>();
        known.add(new QuiesceModel(cast).fingerprint());
        next.add(List.of());
        int ends = 0;
        while (!next.isEmpty()) {
            List<Step> steps = next.remove();
            List<Step> possible = possible(replay(cast, steps));
            if (possible.isEmpty()) {
                replay(cast, steps).checkEnd();
                ends++;
            }
            for (Step step : possible) {
                QuiesceModel model = replay(cast, steps);
                model.step(step.actor, step.choice);
                model.check();
                if (known.add(model.fingerprint())) {
                    var longer = new ArrayList<>(steps);
                    longer.add(step);
                    next.add(longer);
                }
            }
        }
        assertTrue(known.size() >= leastStates, known.size() + " states only");
        assertTrue(ends > 0, "no end reached");
    }

    private static QuiesceModel replay(Cast cast, List<Step> steps) {
        var model = new QuiesceModel(cast);
        steps.forEach(step -> model.step(step.actor, step.choice));
        return model;
    }

    private static List<Step> possible(QuiesceModel model) {
        var steps = new ArrayList<Step>();
        for (int actor = 0; actor < model.actors(); actor++) {
            for (int choice = 0; choice < model.choices(actor); choice++) {
                steps.add(new Step(actor, choice));
            }
        }
        if (model.onlyCallingOffHelps(steps.size())) {
            throw new AssertionError("nobody told the hypervisor: " + model.fingerprint());
        }
        return steps;
    }

    /**
     * The actors.
     *
     * @param consumers that begin and end operations
     * @param rounds operations of each, and copies of the engine
     * @param promiser whether one begins an operation and promises that nothing comes of it
     * @param holder whether an actor ends its operation only when quiesce, if it is asked for, is over
     * @param quiesces how often the hypervisor swaps out and in
     * @param callsOff whether it may lose patience
     * @param closer whether the region is deregistered meanwhile
     * @param shared whether consumers count in a word of their own memory, in another process
     * @param peer whether a peer has a message of two packets, which is counted
     */
    record Cast(
            int consumers,
            int rounds,
            boolean promiser,
            boolean holder,
            int quiesces,
            boolean callsOff,
            boolean closer,
            boolean shared,
            boolean peer) {
        Cast(
                int consumers,
                int rounds,
                boolean promiser,
                boolean holder,
                int quiesces,
                boolean callsOff,
                boolean closer) {
            this(consumers, rounds, promiser, holder, quiesces, callsOff, closer, false, false);
        }

        /** The same actors; the consumers are in another process. */
        Cast inAnotherProcess() {
            return new Cast(consumers, rounds, promiser, holder, quiesces, callsOff, closer, true, peer);
        }

        /** The same actors and a peer. */
        Cast withPeer() {
            return new Cast(consumers, rounds, promiser, holder, quiesces, callsOff, closer, shared, true);
        }
    }
}
