package org.verbena.simulation;

import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.verbs.Completion;

/** Every message that takes a receive is received once, in the order it was posted, whole, with all that came along. */
final class DeliveryChecker implements Checker {
    private final Iterable<Lane> lanes;

    DeliveryChecker(Iterable<Lane> lanes) {
        this.lanes = lanes;
    }

    @Override
    public void onPosted(Intent intent) {
        if (intent instanceof Intent.Message message && message.operation().consumesReceive()) {
            message.lane().awaited.add(message);
        }
    }

    @Override
    public void onReceived(Lane lane, ReceiveFeed.Slot slot, Completion completion) {
        Intent.Message message = lane.awaited.poll();
        if (message == null) {
            throw new AssertionError(lane + " delivered a message that nobody sent: " + completion);
        }
        requireSame(message, completion);
        if (message.writes()) {
            return;
        }
        Zone zone = lane.feed().zone();
        if (!Pieces.matches(lane.source().shadow(), message.source(), zone, slot.pieces(), message.length())) {
            throw new AssertionError("what was received is not what was sent: " + message);
        }
        Pieces.copy(lane.source().shadow(), message.source(), zone.shadow(), slot.pieces(), message.length());
    }

    private static void requireSame(Intent.Message message, Completion completion) {
        boolean same = completion.status().success()
                && completion.operation() == receiveOf(message)
                && completion.byteLength() == message.length()
                && is(completion.immediate(), message, Operation.SEND_WITH_IMMEDIATE, Operation.WRITE_WITH_IMMEDIATE)
                && is(completion.invalidatedKey(), message, Operation.SEND_WITH_INVALIDATE, null);
        if (!same) {
            throw new AssertionError("expected the receive of " + message + "; found " + completion);
        }
    }

    private static Operation receiveOf(Intent.Message message) {
        return message.writes() ? Operation.RECEIVE_WRITE_WITH_IMMEDIATE : Operation.RECEIVE;
    }

    private static boolean is(
            @Nullable Integer argument, Intent.Message message, Operation one, @Nullable Operation other) {
        boolean carries = message.operation() == one || message.operation() == other;
        return carries ? argument != null && argument == message.argument() : argument == null;
    }

    @Override
    public void onQuiet() {
        for (Lane lane : lanes) {
            if (!lane.awaited.isEmpty()) {
                throw new AssertionError(lane + " never delivered " + lane.awaited.peek());
            }
        }
    }
}
