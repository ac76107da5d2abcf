package org.verbena.interop;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerVm;

/** {@code verbena pingpong uc} and {@code ibv_uc_pingpong}. */
@ExtendWith(KernelPeer.class)
final class UnreliablePingpongTest {
    @ParameterizedTest
    @CsvSource({
        "IPV4,      1, 1024, 20",
        "IPV4,  65537, 1024,  5",
        "IPV4, 262144, 4096,  4",
        "IPV6,   3000, 1024, 20",
        "IPV6,  65537, 4096,  5",
    })
    void everyByteComesBack(Family family, int size, int mtu, int rounds, PeerVm kernel) {
        Pingpong game = new Pingpong("uc", family, "-s " + size + " -m " + mtu + " -n " + rounds);
        game.weAsk(kernel, "");
        game.weServe(kernel, "");
    }
}
