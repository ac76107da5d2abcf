package org.verbena.connect.protocol;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.DataMessage;
import org.verbena.wire.mad.DataPiece;

/** Takes the data at connect of the peer, in pieces that may come in any order and more than once. */
final class DataReceiver {
    private static final int UNKNOWN = -1;

    private final Surroundings world;
    private final Conversation conversation;
    private final DataRoom room;
    private final BitSet arrived = new BitSet(DataMessage.pieces(CmLimits.DATA_MAX_BYTES));
    /** Length of all data, as the first piece has stated it. */
    private int length = UNKNOWN;

    /** The data, while they are arriving; their room is reserved as long. */
    private byte @Nullable [] bytes;

    DataReceiver(Surroundings world, Conversation conversation, DataRoom room) {
        this.world = world;
        this.conversation = conversation;
        this.room = room;
    }

    /** How much has arrived, for people. */
    String progress() {
        return length == UNKNOWN ? "none" : arrived.cardinality() + " of " + DataMessage.pieces(length) + " pieces";
    }

    /** Whether all data have arrived. */
    boolean isComplete() {
        return length != UNKNOWN && arrived.nextClearBit(0) >= DataMessage.pieces(length);
    }

    /** The data, which are all there. They are not kept here any more. */
    PrivateData take() {
        PrivateData data = bytes == null ? PrivateData.NONE : PrivateData.of(bytes);
        stop();
        return data;
    }

    /** Frees the memory of the data. */
    void stop() {
        byte[] kept = bytes;
        if (kept != null) {
            bytes = null;
            room.release(kept.length);
        }
    }

    /** Takes a piece, and answers it if the peer wants that. */
    void onPiece(DataPiece piece) {
        int stated = piece.part().length();
        if (stated < 0 || stated > CmLimits.DATA_MAX_BYTES) {
            refuse(piece);
            return;
        }
        if ((length != UNKNOWN && stated != length) || piece.part().index() >= DataMessage.pieces(stated)) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        if (length == UNKNOWN && !begin(stated)) {
            world.count(Counter.CM_DATA_DROPS); // without an answer: the peer repeats it
            return;
        }
        place(piece);
        if (piece.wantsAnswer()) {
            answer(piece);
        }
    }

    private void refuse(DataPiece piece) {
        world.count(Counter.CM_UNMATCHED);
        if (piece.wantsAnswer()) {
            send(DataAnswer.refusal(piece, DataAnswer.TOO_LONG));
        }
    }

    private boolean begin(int stated) {
        if (!room.reserve(stated)) {
            return false;
        }
        length = stated;
        bytes = new byte[stated];
        return true;
    }

    private void place(DataPiece piece) {
        int index = piece.part().index();
        byte[] target = bytes;
        if (target == null || arrived.get(index)) {
            world.count(Counter.CM_DUPLICATES);
            return;
        }
        arrived.set(index);
        piece.content().copyTo(target, index * DataMessage.PIECE_LENGTH);
    }

    private void answer(DataPiece piece) {
        byte[] bits = new byte[DataMessage.PIECE_LENGTH];
        arrived.stream().forEach(index -> bits[index >>> 3] |= (byte) (0x80 >>> (index & 7)));
        send(new DataAnswer(piece.part(), DataAnswer.TAKEN, PrivateData.of(bits)));
    }

    private void send(DataAnswer answer) {
        world.send(conversation.peer(), answer, conversation.dataTransaction());
    }
}
