package org.verbena.link.frame;

/** What a frame behind an offload header still needs. */
public enum OffloadKind {
    /** Nothing: it is complete. */
    COMPLETE,
    /** Its checksum has to be completed. */
    CHECKSUM,
    /** It has to be cut in segments, with their headers and checksums. */
    SEGMENTS,
    /** The header does not fit the frame, or asks for something that is not defined here. */
    MALFORMED
}
