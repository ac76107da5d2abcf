package org.verbena.tools.perf;

import org.verbena.Mtu;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.RemoteMemory;

/**
 * The data that one end needs about the other.
 *
 * @param queuePair to connect to
 * @param landing its first landing slot
 * @param mtu the largest its link carries, or the one agreed on
 */
record SideAddress(QueuePairAddress queuePair, RemoteMemory landing, Mtu mtu) {
    SideAddress withMtu(Mtu other) {
        return new SideAddress(queuePair, landing, other);
    }
}
