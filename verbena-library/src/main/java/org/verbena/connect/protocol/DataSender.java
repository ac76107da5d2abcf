package org.verbena.connect.protocol;

import java.util.BitSet;
import org.verbena.PrivateData;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.DataMessage;
import org.verbena.wire.mad.DataPiece;

/**
 * Sends the data at connect of one end, in bursts of pieces. The last piece of a burst asks for an answer, which says the pieces that
 * have arrived; the next burst has the first of those that have not. Without an answer one piece is repeated, and asks again.
 */
final class DataSender {
    private final Surroundings world;
    private final Conversation conversation;
    private final PrivateData own;
    private final Runnable onUnanswered;
    private final int pieces;
    private final BitSet taken;
    private final WheelTimer timer = new WheelTimer(this::onTimer);
    /** Number of the latest burst. An answer to an earlier one does not have another sent. */
    private int burst;

    private long waitNs = CmLimits.DATA_RETRY_FIRST_NS;
    private int retriesLeft = CmLimits.DATA_RETRIES_MAX;
    private int sent;

    /** @param onUnanswered called when the peer does not answer */
    DataSender(Surroundings world, Conversation conversation, PrivateData own, Runnable onUnanswered) {
        this.world = world;
        this.conversation = conversation;
        this.own = own;
        this.onUnanswered = onUnanswered;
        this.pieces = DataMessage.pieces(own.length());
        this.taken = new BitSet(pieces);
    }

    /** Number of pieces. */
    int pieces() {
        return pieces;
    }

    /** Pieces that have arrived at the peer. */
    int taken() {
        return taken.cardinality();
    }

    /** Pieces sent so far, repetitions included. */
    int sent() {
        return sent;
    }

    /** Whether all pieces have arrived at the peer. */
    boolean isDone() {
        return taken.nextClearBit(0) >= pieces;
    }

    void begin() {
        sendBurst();
    }

    void stop() {
        world.cancel(timer);
    }

    /** Whether an answer is about these data. */
    boolean isAbout(DataAnswer answer) {
        return answer.part().length() == own.length() && answer.part().index() < pieces;
    }

    /** The peer has taken pieces. */
    void onTaken(DataAnswer answer) {
        int before = taken();
        for (int index = taken.nextClearBit(0); index < pieces; index = taken.nextClearBit(index + 1)) {
            taken.set(index, answer.has(index));
        }
        if (isDone()) {
            stop();
        } else if (taken() > before && answer.part().burst() == burst) {
            // A peer that has taken nothing more gets nothing more until the timer: else it could keep this end busy.
            retriesLeft = CmLimits.DATA_RETRIES_MAX;
            waitNs = Math.max(CmLimits.DATA_RETRY_FIRST_NS, waitNs / 2);
            sendBurst();
        }
    }

    /** Sends the first pieces that have not arrived. */
    private void sendBurst() {
        burst++;
        int index = taken.nextClearBit(0);
        for (int left = CmLimits.DATA_BURST_MAX; left > 0 && index < pieces; left--) {
            int next = taken.nextClearBit(index + 1);
            send(index, left == 1 || next >= pieces);
            index = next;
        }
        world.schedule(timer, world.nowNs() + waitNs);
    }

    private void send(int index, boolean wantsAnswer) {
        sent++;
        var part = new DataMessage.Part(conversation.localId(), conversation.remoteId(), own.length(), burst, index);
        int start = index * DataMessage.PIECE_LENGTH;
        PrivateData content = own.range(start, Math.min(own.length(), start + DataMessage.PIECE_LENGTH));
        world.send(conversation.peer(), new DataPiece(part, wantsAnswer, content), conversation.dataTransaction());
    }

    private void onTimer(long nowNs) {
        if (retriesLeft == 0) {
            onUnanswered.run();
            return;
        }
        retriesLeft--;
        world.count(Counter.CM_RETRIES);
        send(taken.nextClearBit(0), true);
        waitNs = Math.min(CmLimits.DATA_RETRY_LONGEST_NS, 2 * waitNs);
        world.schedule(timer, nowNs + waitNs);
    }
}
