package org.verbena.link;

import java.util.List;
import java.util.Locale;

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
     * @throws LinkException if the address is not ours, the port is taken, or the driver asked for does not work here
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
            case NIO -> new UdpLink(locals, options);
            case LINUX -> openLinux(locals, options);
            case AUTO -> linuxWorks() ? new LinuxUdpLink(locals, options) : new UdpLink(locals, options);
        };
    }

    private static Link openLinux(List<Endpoint> locals, UdpOptions options) {
        if (!linuxWorks()) {
            throw new LinkException("UDP driver linux asked for on " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch") + ", 64-bit Linux with native access expected");
        }
        return new LinuxUdpLink(locals, options);
    }

    /** Whether the driver for Linux works on this machine, decided once by opening a link on it. */
    private static boolean linuxWorks() {
        return LinuxProbe.WORKS;
    }

    /** Loaded when first asked, so that no other system ever looks for Linux's functions. */
    private static final class LinuxProbe {
        static final boolean WORKS = isLinux() && opens();

        private static boolean isLinux() {
            String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
            String machine = System.getProperty("os.arch", "");
            return os.equals("linux") && (machine.equals("amd64") || machine.equals("aarch64"));
        }

        /** Opens what a link consists of, at no address in particular: even the loopback interface may be down. */
        private static boolean opens() {
            try {
                Libc libc = new Libc();
                LinuxSocket.receiver(libc, Endpoint.of("0.0.0.0", 0), Packet.LENGTH_MAX)
                        .close();
                new LinuxWaiter(libc).close();
                return true;
            } catch (LinkException | LinkageError | IllegalCallerException | UnsupportedOperationException e) {
                return false;
            }
        }
    }
}
