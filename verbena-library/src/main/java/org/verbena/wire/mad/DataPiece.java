package org.verbena.wire.mad;

import org.verbena.PrivateData;

/**
 * A piece of the data of the end that sends it.
 *
 * @param wantsAnswer whether the receiver is to answer with the pieces that have arrived
 * @param content the bytes; those of the last piece are filled up with zeros
 */
public record DataPiece(Part part, boolean wantsAnswer, PrivateData content) implements DataMessage {
    @Override
    public int method() {
        return wantsAnswer ? Mad.METHOD_SET : Mad.METHOD_SEND;
    }

    @Override
    public int status() {
        return 0;
    }
}
