package org.verbena.connect.protocol;

import org.verbena.PrivateData;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.DataPiece;

/**
 * Data at connect of one end of one connection, both ways. It is over when the peer has all data of this end and this end has all data
 * of the peer. Pieces that the peer repeats later are answered as long as the connection lasts. The engine's thread calls everything.
 */
public final class DataExchange {
    /** Told what becomes of an exchange: one of the methods is called at most once, on the engine's thread. */
    public interface Owner {
        /** Each end has the data of the other. */
        void onExchanged(PrivateData theirs);

        /** The peer does not take the data. The reason is a status of {@link DataAnswer}, or one of the management datagrams. */
        void onDataRefused(int status);

        /** The peer has not answered. */
        void onDataUnanswered();
    }

    private final Owner owner;
    private final DataSender sender;
    private final DataReceiver receiver;
    /** Whether the owner has been told, or is not to be told any more. */
    private boolean over;

    private boolean stopped;

    DataExchange(Surroundings world, Conversation conversation, DataRoom room, PrivateData own, Owner owner) {
        this.owner = owner;
        this.sender = new DataSender(world, conversation, own, this::onUnanswered);
        this.receiver = new DataReceiver(world, conversation, room);
    }

    /** Whether the connection was established, and this end has sent data. */
    public boolean isBegun() {
        return sender.sent() > 0;
    }

    /** How far the exchange is, for people. */
    public String progress() {
        return "the peer has " + sender.taken() + " of " + sender.pieces() + " pieces of this end's data, this end has "
                + receiver.progress() + " of the peer's; " + sender.sent() + " pieces sent";
    }

    /** The connection is established: sends the data of this end. */
    void begin() {
        sender.begin();
    }

    void onPiece(DataPiece piece) {
        if (stopped) {
            return;
        }
        receiver.onPiece(piece);
        endIfComplete();
    }

    void onAnswer(DataAnswer answer) {
        if (over || !sender.isAbout(answer)) {
            return;
        }
        if (answer.status() == DataAnswer.TAKEN) {
            sender.onTaken(answer);
            endIfComplete();
        } else {
            stop();
            owner.onDataRefused(answer.status());
        }
    }

    private void endIfComplete() {
        if (!over && sender.isDone() && receiver.isComplete()) {
            over = true;
            owner.onExchanged(receiver.take());
        }
    }

    private void onUnanswered() {
        stop();
        owner.onDataUnanswered();
    }

    /** Sends nothing more by itself, and frees what it has received. */
    void stop() {
        over = true;
        stopped = true;
        sender.stop();
        receiver.stop();
    }
}
