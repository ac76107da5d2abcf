package org.verbena.interop;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;

/**
 * A kernel's {@code vx} that listens.
 *
 * @param server the job
 * @param address where it listens
 */
record Asked(PeerJob server, InetSocketAddress address) {
    private static final AtomicInteger PORTS = new AtomicInteger(7500);

    static Asked begin(PeerVm kernel, Family family, String scenario, String options) {
        return begin(kernel, family, scenario, options, Duration.ofMinutes(1));
    }

    static Asked begin(PeerVm kernel, Family family, String scenario, String options, Duration limit) {
        int port = PORTS.incrementAndGet();
        String six = family == Family.IPV6 ? " -6" : "";
        PeerJob server = kernel.begin(limit, "vx -l" + six + " " + scenario + " -p " + port + " " + options);
        server.says("listening");
        return new Asked(server, new InetSocketAddress(kernel.address(family), port));
    }

    /**
     * Waits until the server's call that accepts has returned. siw does not notice bytes that arrive between its reply and this moment until
     * others follow.
     */
    void hasAccepted() {
        server.says("accepted");
    }
}
