package org.verbena.wire.mad;

/**
 * The sender's end of a connection, as a {@link Req} or a {@link Rep} describes it.
 *
 * @param guid of the sender's channel adapter
 * @param queuePair the sender's, 24 bits
 * @param qkey of the queue pair; 0 for a connected one
 * @param endToEndContext of the queue pair, 24 bits; 0 unless the service is reliable datagram
 * @param startingPsn sequence number of the first packet that the <em>receiver</em> sends, 24 bits
 * @param sharedReceives whether the queue pair takes its receives from a shared receive queue
 */
public record CmEnd(long guid, int queuePair, int qkey, int endToEndContext, int startingPsn, boolean sharedReceives) {
    /** A queue pair of a connected service, with receives of its own. */
    public static CmEnd of(long guid, int queuePair, int startingPsn) {
        return new CmEnd(guid, queuePair, 0, 0, startingPsn, false);
    }
}
