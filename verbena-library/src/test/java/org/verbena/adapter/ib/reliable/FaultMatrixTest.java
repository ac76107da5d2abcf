package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Mtu;
import org.verbena.adapter.ib.reliable.MatrixCell.Deed;
import org.verbena.adapter.ib.reliable.MatrixCell.Place;
import org.verbena.exchange.Mischief.Act;
import org.verbena.exchange.Mischief.Victim;
import org.verbena.exchange.OverSwitches;
import org.verbena.memory.hypervisor.PagingProbe;

/**
 * Every operation × state of the page × packet that meets it × one packet lost, doubled or overtaken: done once, with the right
 * bytes, in time, and nothing is kept afterwards.
 */
@OverSwitches
final class FaultMatrixTest {
    private static final List<PagingProbe.Where> STATES = List.of(
            PagingProbe.Where.ZERO,
            PagingProbe.Where.ABSENT,
            PagingProbe.Where.LOADING,
            PagingProbe.Where.PRESENT,
            PagingProbe.Where.CLEANING);

    private final List<String> wrong = new ArrayList<>();
    private int cells;

    private void run(MatrixCase world, MatrixCell cell) {
        cells++;
        try {
            world.run(cell);
        } catch (AssertionError | RuntimeException e) {
            wrong.add(cell + ": " + e);
            world.startAnew();
        }
    }

    private void requireNoneWrong(Deed deed) {
        System.out.println("fault matrix: " + deed + ": " + cells + " cells, " + wrong.size() + " wrong");
        assertTrue(
                wrong.isEmpty(),
                () -> wrong.size() + " of " + cells + " cells:\n"
                        + String.join("\n", wrong.subList(0, Math.min(20, wrong.size()))));
    }

    @ParameterizedTest
    @EnumSource
    void doneOnceWhateverIsMissingAndWhateverIsLost(Deed deed) {
        Map<Victim, Integer> hits = new EnumMap<>(Victim.class);
        for (Mtu mtu : List.of(Mtu.MTU_1024, Mtu.MTU_4096)) {
            try (MatrixCase world = new MatrixCase()) {
                for (PagingProbe.Where state : STATES) {
                    for (Place place : Place.values()) {
                        runDisturbed(world, new MatrixCell(deed, state, place, mtu, Victim.NOBODY, Act.LOSE), hits);
                    }
                }
            }
        }
        requireNoneWrong(deed);
        requireEveryVictim(deed, hits);
    }

    private void runDisturbed(MatrixCase world, MatrixCell calm, Map<Victim, Integer> hits) {
        run(world, calm);
        for (Victim victim : Victim.values()) {
            for (Act act : Act.values()) {
                boolean all = victim == Victim.EVERY_INVITATION;
                if (victim == Victim.NOBODY || (all && act != Act.LOSE) || (isOfFault(victim) && !calm.isRefused())) {
                    continue;
                }
                run(world, new MatrixCell(calm.deed(), calm.state(), calm.place(), calm.mtu(), victim, act));
                hits.merge(victim, world.meddled(), Integer::sum);
            }
        }
    }

    /** Whether such a packet exists only if a request is refused. */
    private static boolean isOfFault(Victim victim) {
        return switch (victim) {
            case REFUSAL, INVITATION, EVERY_INVITATION, RETRY -> true;
            default -> false;
        };
    }

    /** The cells have met faults, refusals and packets to disturb: else the matrix would prove nothing. */
    private static void requireEveryVictim(Deed deed, Map<Victim, Integer> hits) {
        for (Victim victim : Victim.values()) {
            boolean refused = !deed.isAtClient() && deed != Deed.READ;
            boolean alone = deed.isRead() && victim == Victim.PREDECESSOR; // a read is one packet
            if (victim != Victim.NOBODY && !alone && (refused || !isOfFault(victim))) {
                assertTrue(hits.getOrDefault(victim, 0) > 0, () -> deed + " never met " + victim);
            }
        }
    }

    /** A lost page fails its request and no other; a lost page that is overwritten whole fails none. */
    @ParameterizedTest
    @EnumSource
    void aLostPageIsAnErrorUnlessItIsOverwritten(Deed deed) {
        for (Mtu mtu : List.of(Mtu.MTU_1024, Mtu.MTU_4096)) {
            try (MatrixCase world = new MatrixCase()) {
                for (Place place : Place.values()) {
                    run(world, new MatrixCell(deed, PagingProbe.Where.POISONED, place, mtu, Victim.NOBODY, Act.LOSE));
                }
            }
        }
        assertEquals(2 * Place.values().length, cells);
        requireNoneWrong(deed);
    }
}
