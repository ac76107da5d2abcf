package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.interop.peer.CardGuests;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.SocketPeers;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.SocketPort;
import org.verbena.services.lan.MacAddress;

/**
 * Two Linux kernels whose network cards are the split driver: the frames of a card go to a datagram socket of QEMU, from there to a host's driver, over RoCEv2 on the
 * loopback interface to the unit, and from the unit to the other kernel. Needs no privilege.
 */
@ExtendWith(SocketPeers.class)
final class SplitDriverGuestsTest {
    private static final int MTU = 9000;
    private static final int PINGS = 3;
    /** Bytes of an ICMP echo beside its data, with the IP header. */
    private static final int ECHO_BYTES_IPV4 = 28;

    private static final int ECHO_BYTES_IPV6 = 48;
    private static final int TRANSFER_BYTES = 4_000_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void twoGuestsAreHostsOfOneUnit(CardGuests guests) throws InterruptedException {
        try (FramePort nothing = SocketPort.unix(directory.resolve("lan"), directory.resolve("nobody"));
                FramePort one = guests.firstCard().open();
                FramePort two = guests.secondCard().open();
                SplitDriver driver = new SplitDriver(nothing, MTU)) {
            SplitDriver.Host first = driver.addHost(one, address(guests.first()));
            SplitDriver.Host second = driver.addHost(two, address(guests.second()));
            exchange(guests);
            requireFrames(first.statistics());
            requireFrames(second.statistics());
        }
    }

    @Test
    void oneGuestIsAHostAndTheOtherIsOnTheLan(CardGuests guests) throws InterruptedException {
        try (FramePort lan = guests.secondCard().open();
                FramePort one = guests.firstCard().open();
                SplitDriver driver = new SplitDriver(lan, MTU)) {
            SplitDriver.Host first = driver.addHost(one, address(guests.first()));
            exchange(guests);
            requireFrames(first.statistics());
        }
    }

    @Test
    void aGuestWithAnotherAddressThanItsHostReachesNoGuest(CardGuests guests) throws InterruptedException {
        try (FramePort lan = guests.secondCard().open();
                FramePort one = guests.firstCard().open();
                SplitDriver driver = new SplitDriver(lan, MTU)) {
            SplitDriver.Host first = driver.addHost(one, MacAddress.of("52:54:00:00:00:99"));
            Outcome asked =
                    guests.first().run("ping -c 2 -W 2 " + guests.second().address(Family.IPV4));
            assertNotEquals(0, asked.status(), asked::toString);
            Map<String, Long> counts = first.statistics();
            assertTrue(count("tx_spoofed", counts) > 0, counts::toString);
            assertEquals(0, count("tx_packets", counts), counts::toString);
        }
    }

    private static MacAddress address(PeerVm guest) {
        return MacAddress.of(guest.macAddress());
    }

    /** Both guests ask each other with small and the largest echoes, and send each other bytes over TCP. */
    private static void exchange(CardGuests guests) {
        for (int size : new int[] {0, 56, 1472, 1473, 4096, MTU - ECHO_BYTES_IPV4}) {
            ping(guests.first(), guests.second(), Family.IPV4, size);
        }
        ping(guests.second(), guests.first(), Family.IPV4, MTU - ECHO_BYTES_IPV4);
        ping(guests.first(), guests.second(), Family.IPV6, 56);
        ping(guests.second(), guests.first(), Family.IPV6, MTU - ECHO_BYTES_IPV6);
        transfer(guests.first(), guests.second(), Family.IPV4, 7001);
        transfer(guests.second(), guests.first(), Family.IPV6, 7002);
    }

    private static void ping(PeerVm from, PeerVm to, Family family, int size) {
        String program = family == Family.IPV4 ? "ping" : "ping -6";
        Outcome asked = from.run(LIMIT, program + " -q -c " + PINGS + " -i 0.1 -s " + size + " " + to.address(family));
        assertTrue(asked.output().contains(" " + PINGS + " packets received"), asked::toString);
    }

    /** The receiver answers with the checksum of what it has got, when it has got all. */
    private static void transfer(PeerVm from, PeerVm to, Family family, int port) {
        String made = from.run("head -c " + TRANSFER_BYTES + " /dev/urandom >/tmp/sent && sha256sum </tmp/sent")
                .succeeds()
                .output();
        PeerJob server = to.begin(LIMIT, "nc -l -p " + port + " -e sha256sum").listensAt(port);
        Outcome sent = from.run(LIMIT, "nc " + to.address(family) + " " + port + " </tmp/sent");
        assertEquals(made.strip(), sent.output().strip(), sent::toString);
        server.end().succeeds();
    }

    /** The frames went through the driver, none with a wrong source or length. */
    private static void requireFrames(Map<String, Long> counts) {
        assertTrue(count("tx_bytes", counts) > TRANSFER_BYTES, counts::toString);
        assertTrue(count("rx_bytes", counts) > TRANSFER_BYTES, counts::toString);
        for (String name :
                new String[] {"tx_spoofed", "tx_errors", "tx_length_errors", "rx_errors", "rx_length_errors"}) {
            assertEquals(0, count(name, counts), counts::toString);
        }
    }

    private static long count(String name, Map<String, Long> counts) {
        return Objects.requireNonNull(counts.get(name), name);
    }
}
