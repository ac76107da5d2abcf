package org.verbena;

/**
 * The effect of a registration by the send queue that fails, on its queue pair. Requests before it are finished first; it completes with
 * its error in both cases.
 */
public enum RegisterFailure {
    /**
     * The queue pair fails: everything posted comes back flushed, and the peer is told. Over iWARP a terminate message tells it; over RoCEv2
     * the connection manager disconnects. The peer of a RoCEv2 connection that no connection manager has made notices when it sends.
     */
    TERMINATE,
    /**
     * The send queue fails and the connection stays (state SQE): later requests come back flushed until the consumer resumes; receives and
     * the answers to the peer's requests go on. The consumer may post the registration again.
     */
    DRAIN
}
