package org.verbena.connect.protocol;

import java.nio.ByteBuffer;
import org.verbena.PrivateData;

/** What the messages of one adapter have in common: its GUID, and the upper half of its transaction ids. */
final class Identity {
    private final PrivateData guidBytes;
    private final int transactionHigh;

    Identity(Surroundings world) {
        this.guidBytes =
                PrivateData.of(ByteBuffer.allocate(8).putLong(world.guid()).array());
        this.transactionHigh = world.random();
    }

    /** The adapter's GUID, as a rejection carries it. */
    PrivateData guidBytes() {
        return guidBytes;
    }

    /** Id of a transaction that this adapter begins. The lower half is the id with its bytes reversed, as Linux has it on x86. */
    long transactionId(int localId) {
        return (long) transactionHigh << 32 | (Integer.reverseBytes(localId) & 0xffff_ffffL);
    }
}
