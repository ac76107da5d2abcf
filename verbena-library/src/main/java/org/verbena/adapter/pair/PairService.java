package org.verbena.adapter.pair;

/** Services that a queue pair may ask a carrier for. */
public enum PairService {
    RELIABLE_CONNECTION,
    UNRELIABLE_CONNECTION,
    DATAGRAM,
    RAW
}
