package org.verbena;

/** The protocol by which an adapter reaches its peers. */
public enum Wire {
    /** RoCEv2: packets of InfiniBand over UDP. All services. */
    ROCE,
    /** iWARP: RDMAP, DDP and MPA over TCP. Reliable connections only. */
    IWARP
}
