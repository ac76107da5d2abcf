package org.verbena.wire.mad;

import org.verbena.PrivateData;

/**
 * The answer to a {@link DataPiece}, about the data of the end that gets it.
 *
 * @param status {@link #TAKEN}, or the reason why the data are not taken
 * @param content one bit for each piece that has arrived, that of piece 0 first: the highest bit of the first byte
 */
public record DataAnswer(Part part, int status, PrivateData content) implements DataMessage {
    /** The data are taken. */
    public static final int TAKEN = 0;
    /** The consumer of the receiver has not asked for data at connect. */
    public static final int UNWANTED = 0x0100;
    /** The stated length is not one that can be taken. */
    public static final int TOO_LONG = 0x0200;

    /** A refusal of the data of a piece. */
    public static DataAnswer refusal(DataPiece piece, int status) {
        return new DataAnswer(piece.part(), status, PrivateData.NONE);
    }

    /** Whether a piece has arrived. */
    public boolean has(int index) {
        return (content.at(index >>> 3) << (index & 7) & 0x80) != 0;
    }

    @Override
    public int method() {
        return Mad.METHOD_RESPONSE;
    }
}
