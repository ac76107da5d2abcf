package org.verbena.adapter.ib;

import org.verbena.adapter.Limits;

/**
 * The identifications of each IPv4 peer, for all its queue pairs. Peers whose addresses share a slot replace each other and begin anew
 * each time; damaged packets of such peers are found less surely.
 */
final class PeerIdentifications {
    private final int[] addresses = new int[Limits.PEERS_REMEMBERED];
    private final Identifications[] histories = new Identifications[Limits.PEERS_REMEMBERED];

    PeerIdentifications() {
        for (int i = 0; i < histories.length; i++) {
            histories[i] = new Identifications();
        }
    }

    Identifications of(int address) {
        int slot = ((address * 0x9e37_79b1) >>> 16) & (Limits.PEERS_REMEMBERED - 1);
        Identifications history = histories[slot];
        if (addresses[slot] != address) {
            addresses[slot] = address;
            history.forget();
        }
        return history;
    }
}
