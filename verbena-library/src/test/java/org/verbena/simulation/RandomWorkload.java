package org.verbena.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.verbena.QueuePairState;
import org.verbena.time.Seed;

/** Every lane posts what its appetite says, round after round; a round ends when all that was posted is done. */
final class RandomWorkload implements Workload {
    private static final int TRIES = 4;
    private static final long DRAIN_NS = 200_000;
    private static final long PATIENCE_NS = 120_000_000_000L;

    private final World world;
    private final List<Lane> lanes;
    private final Set<ReceiveFeed> feeds = new LinkedHashSet<>();
    private final Ledger ledger;
    private final Poster poster;
    private final Seed seed;
    private final List<Long> resumeNs = new ArrayList<>();
    private long packetsUntil;
    private long packetsPerLane;
    private boolean ending;
    private long completionsSeen;
    private long progressNs;

    /** Lanes of one connection stand next to each other. */
    RandomWorkload(World world, List<Lane> lanes, Ledger ledger, Checker checkers, Seed seed) {
        this.world = world;
        this.lanes = lanes;
        this.ledger = ledger;
        this.poster = new Poster(checkers);
        this.seed = seed;
        for (Lane lane : lanes) {
            feeds.add(lane.feed());
            resumeNs.add(0L);
        }
    }

    /** Begins a round of about this number of packets. */
    void begin(long packets) {
        packetsUntil = world.trace().packets() + packets;
        packetsPerLane = packets / lanes.size();
        ending = false;
        progressNs = world.nowNs();
        for (Lane lane : lanes) {
            lane.appetite = Appetite.draw(seed, lane.target().length());
        }
    }

    @Override
    public void work(long nowNs) {
        ledger.poll(world.nodes(), nowNs);
        for (ReceiveFeed feed : feeds) {
            feed.work(nowNs);
        }
        if (world.trace().packets() < packetsUntil && lanes.stream().anyMatch(lane -> !lane.failed)) {
            for (int i = 0; i < lanes.size(); i++) {
                post(i, nowNs);
            }
        } else if (!ending) {
            ending = true;
            List<Lane> working = lanes.stream().filter(lane -> !lane.failed).toList();
            working.forEach(poster::postLast);
            working.forEach(RandomWorkload::resume);
        }
        requireProgress(nowNs);
    }

    private void post(int index, long nowNs) {
        Lane lane = lanes.get(index);
        if (lane.failed || nowNs < resumeNs.get(index)) {
            return;
        }
        if (drain(lane)) {
            resumeNs.set(index, nowNs + Pieces.below(lane.seed(), DRAIN_NS));
        }
        for (int tries = 0; tries < TRIES && hasRoom(lane); tries++) {
            poster.post(lane, lanes.get(index ^ 1));
        }
        if (!hasRoom(lane) && !endsSignalled(lane)) {
            poster.postLast(lane);
        }
        if (lane.appetite.pauseNs() > 0 && !hasRoom(lane)) {
            resumeNs.set(index, nowNs + Pieces.below(lane.seed(), lane.appetite.pauseNs()));
        }
    }

    /** Now and then a lane lets what is begun be finished and begins nothing for a while, whatever is posted. */
    private static boolean drain(Lane lane) {
        resume(lane);
        if (lane.seed().chance(0.0003)) {
            lane.queuePair().drain();
            return true;
        }
        return false;
    }

    private static void resume(Lane lane) {
        if (lane.queuePair().state() == QueuePairState.SEND_QUEUE_DRAINED) {
            lane.queuePair().resume();
        }
    }

    /** Bounded by requests, and by packets: or a round would end long after it should. */
    private boolean hasRoom(Lane lane) {
        return !lane.failed
                && lane.outstanding.size() < lane.appetite.depth()
                && lane.outstandingBytes / lane.mtu().bytes() < packetsPerLane;
    }

    private static boolean endsSignalled(Lane lane) {
        return lane.outstanding.isEmpty() || lane.outstanding.getLast().signalled();
    }

    private void requireProgress(long nowNs) {
        if (ledger.completions() != completionsSeen) {
            completionsSeen = ledger.completions();
            progressNs = nowNs;
        } else if (nowNs - progressNs > PATIENCE_NS) {
            throw new AssertionError("nothing completed for " + PATIENCE_NS + " ns; " + waiting());
        }
    }

    private String waiting() {
        StringBuilder text = new StringBuilder();
        for (Lane lane : lanes) {
            if (!lane.isIdle()) {
                text.append('\n').append(lane).append(" waits for ").append(lane.outstanding.peek());
            }
        }
        return text.toString();
    }

    @Override
    public boolean isDone() {
        return ending && lanes.stream().allMatch(Lane::isIdle);
    }

    @Override
    public long nextActionNs() {
        long next = Long.MAX_VALUE;
        for (ReceiveFeed feed : feeds) {
            next = Math.min(next, feed.nextActionNs());
        }
        for (int i = 0; !ending && i < lanes.size(); i++) {
            if (resumeNs.get(i) > world.nowNs()) {
                next = Math.min(next, resumeNs.get(i));
            } else if (hasRoom(lanes.get(i))) {
                next = Math.min(next, world.nowNs() + 1_000);
            }
        }
        return next;
    }
}
