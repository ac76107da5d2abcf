package org.verbena.tools.link;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.tcp.TcpNetwork;
import org.verbena.link.tcp.TcpOptions;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.wrap.CapturedLink;
import org.verbena.link.wrap.CapturedStreamNetwork;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.tools.console.ToolException;

/**
 * The wrappers around the links of a command.
 *
 * @param capture where packets are written to, if at all
 * @param loss the share of packets that is lost on purpose, of both directions
 * @param seed of these losses
 */
public record LinkSetting(@Nullable Path capture, double loss, long seed) {
    private static final long LINGER_MS = 1500;
    /** Linux has all of 127.0.0.0/8; other systems have only 127.0.0.1. */
    private static final String SECOND_LOOPBACK = "127.0.0.2";

    /** Links as they are. */
    public static final LinkSetting PLAIN = new LinkSetting(null, 0, 1);

    /** Over UDP at this port; if it is taken and {@code portMatters} is not, at another one. */
    public static Link udp(InetAddress local, int port, boolean portMatters) {
        try {
            return UdpNetwork.open(new Endpoint(local, port));
        } catch (LinkException taken) {
            if (portMatters || port == 0) {
                throw taken;
            }
            return UdpNetwork.open(new Endpoint(local, 0));
        }
    }

    /** Two places on this machine; the near one has the wrappers. */
    public record Pair(Place near, Place far) {}

    /**
     * Opens both ends of a loopback. For a capture both are at the port of RoCEv2, the only one that Wireshark decodes unasked,
     * and so at two addresses, where the machine has a second one.
     */
    public Pair loopback() {
        Link near = udp(InetAddress.getLoopbackAddress(), capture == null ? 0 : Endpoint.ROCE_PORT, false);
        try {
            Link far = capture == null ? udp(InetAddress.getLoopbackAddress(), 0, false) : besides(near);
            try {
                return new Pair(Place.of(around(near)), Place.of(far));
            } catch (LinkException e) {
                far.close();
                throw e;
            }
        } catch (LinkException e) {
            near.close();
            throw e;
        }
    }

    /**
     * Streams over TCP at an address of this machine, with the capture around them.
     *
     * @throws ToolException if packets are to be lost: TCP would send them again
     */
    public StreamNetwork streams(InetAddress local) {
        if (loss > 0) {
            throw new ToolException("--loss found with streams over TCP, which have no packets to lose");
        }
        StreamNetwork network = TcpNetwork.open(local, TcpOptions.DEFAULT);
        if (capture == null) {
            return network;
        }
        try {
            return CapturedStreamNetwork.toFile(network, capture, sinceEpoch());
        } catch (LinkException e) {
            network.close();
            throw e;
        }
    }

    /** Both ends of a loopback over TCP. */
    public Pair streamLoopback() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        Place far = Place.of(TcpNetwork.open(loopback, TcpOptions.DEFAULT));
        return new Pair(Place.of(streams(loopback)), far.named(far.name() + " (far)"));
    }

    private static Link besides(Link near) {
        try {
            return UdpNetwork.open(Endpoint.of(SECOND_LOOPBACK, near.local().port()));
        } catch (LinkException noSuchAddress) {
            return udp(InetAddress.getLoopbackAddress(), 0, false);
        }
    }

    /** The link with its wrappers. The capture has the packets on the wire: packets lost on the way out are not in it. */
    public Link around(Link link) {
        Link captured = captured(link);
        return loss == 0
                ? captured
                : new LossyLink(captured, new Seed(seed), LinkFaults.loss(loss), LinkFaults.loss(loss));
    }

    /** With losses on purpose, waits until a peer whose last acknowledgement was lost has repeated its request. */
    public void linger() throws InterruptedException {
        if (loss > 0) {
            Thread.sleep(LINGER_MS);
        }
    }

    private Link captured(Link link) {
        if (capture == null) {
            return link;
        }
        try {
            return CapturedLink.toFile(link, capture, sinceEpoch());
        } catch (LinkException e) {
            link.close();
            throw e;
        }
    }

    /** As steady as the machine's clock, with its origin moved to 1970. */
    private static NanoClock sinceEpoch() {
        Instant now = Instant.now();
        long originNs = now.getEpochSecond() * 1_000_000_000 + now.getNano() - System.nanoTime();
        return () -> originNs + System.nanoTime();
    }
}
