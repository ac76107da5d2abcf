package org.verbena.link.stream;

/** Why a stream could not be opened. */
public enum StreamFailure {
    /** The peer's system has no listener at the port. */
    REFUSED,
    /** There is no way to the address, or the system forbids it. */
    UNREACHABLE,
    /** The peer's system did not answer within the time of this system. */
    TIMED_OUT,
    /** This system has no descriptor, port or memory left. */
    EXHAUSTED,
    /** The peer ended the stream before both sides had agreed. */
    ENDED,
    /** The peer's bytes are not those of the protocol, or the two sides cannot agree. */
    PROTOCOL
}
