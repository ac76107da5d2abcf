package org.verbena.services.ethernet;

/** What became of an address that a port wants to have. */
public enum AddressVerdict {
    /** The port has it. */
    TAKEN,
    /** It is 0 or that of a group: no station can have it. */
    NO_STATION,
    /** Another port has it. */
    OF_ANOTHER,
    /** The port has as many as it may have. */
    TOO_MANY
}
