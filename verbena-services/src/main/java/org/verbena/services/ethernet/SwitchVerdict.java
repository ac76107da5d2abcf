package org.verbena.services.ethernet;

/** What became of a frame in a switch. */
public enum SwitchVerdict {
    /** It goes to the ports of the set, which may be none. */
    FORWARDED,
    /** Its source is 0 or a group. */
    BAD_SOURCE,
    /** The port does not have its source address. */
    SPOOFED,
    /** The port does not take part in its VLAN. */
    WRONG_VLAN
}
