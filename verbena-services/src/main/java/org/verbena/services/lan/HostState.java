package org.verbena.services.lan;

/** The state of a {@link HostDriver}. */
public enum HostState {
    /** Without a connection; the next attempt follows by itself. */
    DOWN,
    /** A connection to the unit is being made. */
    CONNECTING,
    /** The connection is open; host and unit agree on address, MTU and offloads. */
    CONFIGURING,
    /** Frames go both ways. */
    UP,
    /** Closed for good. */
    CLOSED
}
