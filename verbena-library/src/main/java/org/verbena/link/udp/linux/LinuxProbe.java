package org.verbena.link.udp.linux;

import java.util.Locale;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Packet;
import org.verbena.link.linux.Libc;
import org.verbena.system.NativeAccess;

/** Whether the driver for Linux works on this machine. On another system nothing looks for Linux's functions. */
public final class LinuxProbe {
    private LinuxProbe() {}

    /**
     * Decided once, by opening the parts of a link.
     *
     * @throws LinkException if it would work, but the options of the JVM deny native access
     */
    public static boolean works() {
        if (!isLinux()) {
            return false;
        }
        try {
            NativeAccess.require();
        } catch (IllegalCallerException denied) {
            throw new LinkException(
                    denied.getMessage() + ", or choose the JDK's channels, which are slower: -Dverbena.link.udp=nio",
                    denied);
        }
        return Answer.WORKS;
    }

    /** Whether this is Linux on a machine that the library knows. */
    public static boolean isLinux() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch", "");
        return os.equals("linux") && (machine.equals("amd64") || machine.equals("aarch64"));
    }

    /** Loaded at the first question. */
    private static final class Answer {
        static final boolean WORKS = opens();

        /** Opens the parts of a link at the wildcard address: even the loopback interface may be down. */
        private static boolean opens() {
            try {
                Libc libc = new Libc();
                LinuxSocket.receiver(libc, Endpoint.of("0.0.0.0", 0), Packet.LENGTH_MAX)
                        .close();
                return true;
            } catch (LinkException | LinkageError | UnsupportedOperationException e) {
                return false;
            }
        }
    }
}
