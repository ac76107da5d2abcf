package org.verbena.link.udp;

import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.support.Locals;
import org.verbena.link.udp.linux.LinuxProbe;
import org.verbena.link.udp.linux.LinuxUdpLink;
import org.verbena.link.udp.nio.UdpLink;

/** Links over the machine's own network: UDP, by the fastest driver that works here. {@link Link#name()} says which one it is. */
public final class UdpNetwork {
    private UdpNetwork() {}

    /** A link at this endpoint with {@linkplain UdpOptions#defaults() default options}. */
    public static Link open(Endpoint local) {
        return open(local, UdpOptions.defaults());
    }

    /**
     * A link at this endpoint.
     *
     * @param local an address of this machine, not a wildcard: the CRC of every packet covers it; port 0 lets the system choose
     * @throws LinkException if the address is not ours, the port is taken, the driver asked for does not work here, or the JVM denies
     *     native access to the driver for Linux; the message then names the options to choose from
     */
    public static Link open(Endpoint local, UdpOptions options) {
        return open(List.of(local), options);
    }

    /**
     * A link at all of these endpoints, for one adapter with several addresses: IPv4 and IPv6, say.
     *
     * @see #open(Endpoint, UdpOptions)
     */
    public static Link open(List<Endpoint> several, UdpOptions options) {
        List<Endpoint> locals = Locals.checked(several);
        return switch (options.driver()) {
            case NIO -> new UdpLink(locals, options.forDriver());
            case LINUX -> openLinux(locals, options);
            case AUTO ->
                LinuxProbe.works()
                        ? new LinuxUdpLink(locals, options.forDriver())
                        : new UdpLink(locals, options.forDriver());
        };
    }

    private static Link openLinux(List<Endpoint> locals, UdpOptions options) {
        if (!LinuxProbe.works()) {
            throw new LinkException("UDP driver linux asked for on " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch") + ", 64-bit Linux with native access expected");
        }
        return new LinuxUdpLink(locals, options.forDriver());
    }
}
