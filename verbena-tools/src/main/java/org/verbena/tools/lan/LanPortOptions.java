package org.verbena.tools.lan;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.PacketPort;
import org.verbena.link.frame.SocketPort;
import org.verbena.link.frame.TapPort;
import org.verbena.link.udp.UdpDriver;
import picocli.CommandLine.Option;

/** The port of a driver: one of the options. */
public final class LanPortOptions {
    private static final Pattern ADDRESS_AND_PORT =
            Pattern.compile("(?:\\[([0-9a-fA-F:.]+)\\]|([^:\\[\\]]+)):(\\d{1,5})");
    private static final int PORT_MAX = 0xffff;

    @Option(
            names = "--tap",
            paramLabel = "NAME",
            required = true,
            description =
                    "A TAP interface, which is made if it is not there. Needs CAP_NET_ADMIN, or an interface of this user.")
    private @Nullable String tap;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            required = true,
            description = "A network interface that is there. Needs CAP_NET_RAW.")
    private @Nullable String networkInterface;

    @Option(
            names = "--socket",
            paramLabel = "LOCAL,REMOTE",
            required = true,
            split = ",",
            description = "Datagrams of UDP, as QEMU's -netdev dgram has them; both are ADDR:PORT. Needs no privilege.")
    private String @Nullable [] socket;

    /** Not given. */
    public LanPortOptions() {}

    /**
     * Opens the port.
     *
     * @param channels whether the adapter has channels of the JDK: its thread waits for both best if the port has one too
     * @param mtu the MTU of a port that has none of its own: a socket
     * @throws IllegalArgumentException that names the value found and the value expected
     */
    FramePort open(boolean channels, int mtu) {
        if (tap != null) {
            return TapPort.open(tap);
        }
        if (networkInterface != null) {
            return PacketPort.open(networkInterface);
        }
        String[] both = socket;
        if (both == null || both.length != 2) {
            throw new IllegalArgumentException("--socket " + String.join(",", both == null ? new String[0] : both)
                    + " found, LOCAL,REMOTE expected");
        }
        FramePort opened = SocketPort.udp(
                Endpoint.of(address("--socket", both[0], 0)),
                Endpoint.of(address("--socket", both[1], 1)),
                channels ? UdpDriver.NIO : UdpDriver.configured());
        opened.mtu(mtu);
        return opened;
    }

    /** An address and a port as people write them. */
    static InetSocketAddress address(String option, String text, int portMin) {
        Matcher matcher = ADDRESS_AND_PORT.matcher(text);
        if (matcher.matches()) {
            String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
            int port = Integer.parseInt(matcher.group(3));
            InetSocketAddress address = port > PORT_MAX ? null : new InetSocketAddress(host, port);
            if (address != null && port >= portMin && !address.isUnresolved()) {
                return address;
            }
        }
        throw new IllegalArgumentException(option + " " + text + " found, a known address and a port of " + portMin
                + " to 65535 expected, as 192.0.2.7:4000");
    }
}
