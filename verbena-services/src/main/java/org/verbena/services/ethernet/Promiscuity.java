package org.verbena.services.ethernet;

/** What the switch shows to a port in promiscuous mode. Unicast frames between two other hosts are never shown. */
public enum Promiscuity {
    /** Frames of all groups, no frame for another station. */
    GROUPS,
    /** Also frames that stations of the LAN send to stations that are no hosts. */
    LAN,
    /** Also frames between the LAN and other hosts. */
    LAN_AND_HOSTS
}
