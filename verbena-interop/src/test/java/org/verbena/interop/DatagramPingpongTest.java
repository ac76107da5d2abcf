package org.verbena.interop;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerVm;

/** {@code verbena pingpong ud} and {@code ibv_ud_pingpong}. */
@ExtendWith(KernelPeer.class)
final class DatagramPingpongTest {
    @ParameterizedTest
    @CsvSource({"IPV4, 1, 20", "IPV4, 1000, 20", "IPV4, 4096, 20", "IPV6, 1, 20", "IPV6, 4096, 20"})
    void everyByteComesBack(Family family, int size, int rounds, PeerVm kernel) {
        Pingpong game = new Pingpong("ud", family, "-s " + size + " -n " + rounds);
        game.weAsk(kernel, "");
        game.weServe(kernel, "");
    }
}
