package org.verbena.simulation;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.verbena.Operation;
import org.verbena.verbs.Completion;
import org.verbena.verbs.Completions;

/**
 * Takes every completion and finds what it completes. Completions are conserved: each signalled request has one, in the
 * order of posting, no other request has any.
 */
final class Ledger {
    private final Trace trace;
    private final Checker checkers;
    private final Completions batch = new Completions(256);
    private final Map<Long, Lane> outgoing = new HashMap<>();
    private final Map<Long, Lane> incoming = new HashMap<>();
    private final Map<Operation, Long> done = new EnumMap<>(Operation.class);
    private long completions;
    private int failures;

    Ledger(Trace trace, Checker checkers) {
        this.trace = trace;
        this.checkers = checkers;
    }

    /** Two lanes that are one connection. */
    void know(Lane lane, Lane reverse) {
        outgoing.put(place(lane.requester(), lane.queuePair().number()), lane);
        incoming.put(place(lane.requester(), lane.queuePair().number()), reverse);
    }

    private static Long place(Node node, int queuePair) {
        return (long) node.index() << 32 | queuePair;
    }

    /** How many of each operation are done. */
    Map<Operation, Long> done() {
        return done;
    }

    /** Connections that failed since a page could not be read. */
    int failures() {
        return failures;
    }

    long completions() {
        return completions;
    }

    void poll(List<Node> nodes, long nowNs) {
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            while (node.completions().poll(batch) > 0) {
                for (int j = 0; j < batch.size(); j++) {
                    take(node, batch.get(j), nowNs);
                }
            }
        }
    }

    private void take(Node node, Completion completion, long nowNs) {
        completions++;
        trace.add(completion.id());
        trace.add(completion.queuePair());
        trace.add(completion.operation().ordinal() << 8 | completion.status().ordinal());
        trace.add(completion.byteLength());
        Map<Long, Lane> lanes = completion.operation().isReceive() ? incoming : outgoing;
        Lane lane = lanes.get(place(node, completion.queuePair()));
        if (lane == null) {
            throw new AssertionError("node " + node.index() + " has no queue pair for " + completion);
        }
        if (!completion.status().success() && !lane.failed) {
            onFailure(lane, completion);
        }
        if (lane.failed) {
            afterFailure(lane, completion, nowNs);
        } else if (completion.operation().isReceive()) {
            onReceive(lane, completion, nowNs);
        } else {
            onSend(lane, completion);
        }
    }

    private void onReceive(Lane lane, Completion completion, long nowNs) {
        ReceiveFeed.Slot slot = lane.feed().take(completion.id());
        checkers.onReceived(lane, slot, completion);
        if (completion.invalidatedKey() != null) {
            lane.window().onInvalidated();
        }
        lane.feed().giveBack(slot, nowNs);
    }

    /** Both lanes of a connection end here. Only a store that lost a page, of either node, is a reason. */
    private void onFailure(Lane lane, Completion completion) {
        boolean fits = switch (completion.status()) {
            case REMOTE_OPERATIONAL_ERROR, LOCAL_PROTECTION_ERROR, FLUSHED -> true;
            default -> false;
        };
        Lane reverse = Objects.requireNonNull(
                incoming.get(place(lane.requester(), lane.queuePair().number())));
        if (!fits || lane.requester().errors() + reverse.requester().errors() == 0) {
            throw new AssertionError(lane + " failed: " + completion + ", oldest is " + lane.outstanding.peek());
        }
        failures++;
        for (Lane each : List.of(lane, reverse)) {
            each.failed = true;
            checkers.onFailed(each);
            each.outstanding.clear();
            each.outstandingBytes = 0;
            each.awaited.clear();
            each.reads.clear();
            each.queuePair().abort();
            if (!each.feed().isShared()) {
                each.feed().stop();
            }
        }
    }

    /** Receives that others use too are given back, whatever is in them. */
    private static void afterFailure(Lane lane, Completion completion, long nowNs) {
        if (completion.operation().isReceive() && lane.feed().isShared()) {
            ReceiveFeed.Slot slot = lane.feed().take(completion.id());
            lane.feed().zone().believe(slot.pieces());
            lane.feed().giveBack(slot, nowNs);
        }
    }

    /** A completion tells of the requests before it too, none of which may have asked for one of its own. */
    private void onSend(Lane lane, Completion completion) {
        for (Intent intent = lane.outstanding.poll(); intent != null; intent = lane.outstanding.poll()) {
            boolean own = intent.id() == completion.id();
            if (own != intent.signalled()) {
                throw new AssertionError(lane + " completed out of order or unasked: " + completion + " came while "
                        + intent + " is oldest");
            }
            if (own) {
                requireSuccess(intent, completion);
            }
            onDone(intent);
            if (own) {
                return;
            }
        }
        throw new AssertionError(lane + " completed what was not posted, or twice: " + completion);
    }

    private static void requireSuccess(Intent intent, Completion completion) {
        if (!completion.status().success()
                || completion.operation() != intent.operation()
                || completion.byteLength() != intent.length()) {
            throw new AssertionError("expected the success of " + intent + "; found " + completion);
        }
    }

    private void onDone(Intent intent) {
        checkers.onDone(intent);
        done.merge(intent.operation(), 1L, Long::sum);
        Lane lane = intent.lane();
        lane.outstandingBytes -= intent.length();
        if (intent.throughWindow()) {
            lane.window().onUseDone();
        }
        if (intent.operation().returnsData()) {
            lane.landings().release();
        }
        if (intent.operation() == Operation.READ) {
            lane.reads.remove();
        }
        if (intent instanceof Intent.Local) {
            Lane reverse = incoming.get(place(lane.requester(), lane.queuePair().number()));
            if (reverse != null) {
                reverse.window().onDone();
            }
        }
    }
}
