package org.verbena.tools.pingpong;

import org.verbena.Mtu;
import org.verbena.wire.ib.Grh;

/**
 * The options of one end. Each end has its own: only addresses are exchanged.
 *
 * @param service rc, uc or ud
 * @param size bytes of a message
 * @param mtu path MTU
 * @param rounds messages each way
 * @param receives receives that are posted
 * @param serviceLevel of the packets
 * @param events sleep until something comes, instead of polling
 * @param check whether received messages are checked
 */
record PingpongPlan(
        PingpongService service,
        int size,
        Mtu mtu,
        int rounds,
        int receives,
        int serviceLevel,
        boolean events,
        boolean check) {
    private static final int SIZE_MAX = 1 << 30;
    private static final int RECEIVES_MAX = 16384;

    PingpongPlan {
        require("--size", size, 1, service == PingpongService.UD ? Mtu.MTU_4096.bytes() : SIZE_MAX);
        require("--iters", rounds, 1, Integer.MAX_VALUE);
        require("--rx-depth", receives, 1, RECEIVES_MAX);
        require("--sl", serviceLevel, 0, 15);
    }

    boolean isDatagram() {
        return service == PingpongService.UD;
    }

    /** Bytes that stand before a received message: where a datagram came from. */
    int headerLength() {
        return isDatagram() ? Grh.LENGTH : 0;
    }

    static void require(String option, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(option + " " + found + " found, " + least + " to " + most + " expected");
        }
    }
}
