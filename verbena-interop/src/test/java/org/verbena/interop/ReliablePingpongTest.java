package org.verbena.interop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerVm;

/** {@code verbena pingpong rc} and {@code ibv_rc_pingpong}. */
@ExtendWith(KernelPeer.class)
final class ReliablePingpongTest {
    @ParameterizedTest
    @CsvSource({
        "IPV4,       1, 1024, 20",
        "IPV4,    4096, 1024, 20",
        "IPV4,   65537, 4096, 10",
        "IPV4, 1048576, 1024,  4",
        "IPV4, 1048576, 4096,  4",
        "IPV6,       1, 4096, 20",
        "IPV6,    3000, 1024, 20",
        "IPV6, 1048576, 4096,  4",
    })
    void everyByteComesBack(Family family, int size, int mtu, int rounds, PeerVm kernel) {
        Pingpong game = new Pingpong("rc", family, "-s " + size + " -m " + mtu + " -n " + rounds);
        game.weAsk(kernel, "");
        game.weServe(kernel, "");
    }

    @Test
    void fivePercentLossInBothDirectionsIsRepaired(PeerVm kernel) {
        Pingpong game = new Pingpong("rc", Family.IPV4, "-s 10000 -m 1024 -n 100");
        game.weAsk(kernel, "--loss 5");
        game.weServe(kernel, "--loss 5");
    }
}
