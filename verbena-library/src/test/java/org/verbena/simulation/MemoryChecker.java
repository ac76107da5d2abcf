package org.verbena.simulation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A shadow of every byte: each request changes the shadow as it is posted, each message as it is received, and whenever
 * all is quiet memory and shadow must be equal, guards and gaps included.
 */
final class MemoryChecker implements Checker {
    private final List<Node> nodes;

    private final Set<Zone> doubtful = new LinkedHashSet<>();

    MemoryChecker(List<Node> nodes) {
        this.nodes = nodes;
    }

    @Override
    public void onPosted(Intent intent) {
        Lane lane = intent.lane();
        switch (intent) {
            case Intent.Message message -> {
                if (message.writes()) {
                    Pieces target = Pieces.one(message.targetOffset(), message.length());
                    copy(lane.source().shadow(), message.source(), lane.target().shadow(), target);
                }
            }
            case Intent.Read read -> {
                Pieces target = Pieces.one(read.targetOffset(), read.length());
                copy(lane.target().shadow(), target, lane.landing().shadow(), read.landing());
            }
            case Intent.Atomic atomic -> {
                if (!atomic.shared()) {
                    executeAtomic(atomic);
                }
            }
            case Intent.Local _ -> {}
        }
    }

    private static void copy(MemorySegment source, Pieces from, MemorySegment target, Pieces to) {
        Pieces.copy(source, from, target, to, to.total());
    }

    private static void executeAtomic(Intent.Atomic atomic) {
        MemorySegment cells = atomic.cells().shadow();
        long original = cells.get(ValueLayout.JAVA_LONG_UNALIGNED, atomic.cell());
        long after = switch (atomic.operation()) {
            case FETCH_ADD -> original + atomic.first();
            default -> original == atomic.first() ? atomic.second() : original;
        };
        cells.set(ValueLayout.JAVA_LONG_UNALIGNED, atomic.cell(), after);
        land(atomic, original);
    }

    private static void land(Intent.Atomic atomic, long original) {
        atomic.lane()
                .landing()
                .shadow()
                .set(ValueLayout.JAVA_LONG_UNALIGNED, atomic.landing().offset(0), original);
    }

    @Override
    public void onDone(Intent intent) {
        Zone zone = intent.lane().landing();
        switch (intent) {
            case Intent.Read read -> requireLanded(intent, zone, read.landing());
            case Intent.Atomic atomic -> {
                if (atomic.shared()) {
                    // What it found is the atomic checker's to judge.
                    land(atomic, zone.readLong(atomic.landing().offset(0)));
                }
                requireLanded(intent, zone, atomic.landing());
            }
            case Intent.Message _, Intent.Local _ -> {}
        }
    }

    private static void requireLanded(Intent intent, Zone zone, Pieces landing) {
        if (!Pieces.matches(zone.shadow(), landing, zone, landing, landing.total())) {
            throw new AssertionError("what came back is not what was there: " + intent);
        }
    }

    @Override
    public void onFailed(Lane lane) {
        doubtful.add(lane.target());
        doubtful.add(lane.landing());
        doubtful.add(lane.cells());
        if (!lane.feed().isShared()) {
            doubtful.add(lane.feed().zone());
        }
    }

    @Override
    public void onQuiet() {
        doubtful.forEach(zone -> zone.believe(Pieces.one(0, zone.length())));
        doubtful.clear();
        for (Node node : nodes) {
            for (Zone zone : node.zones()) {
                long at = zone.firstDifference();
                if (at != Long.MIN_VALUE) {
                    throw new AssertionError(zone.name() + " (" + zone.length() + " bytes) is not what the model says"
                            + " from offset " + at + " on");
                }
            }
        }
    }
}
