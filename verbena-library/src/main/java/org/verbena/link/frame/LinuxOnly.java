package org.verbena.link.frame;

import org.verbena.link.LinkException;
import org.verbena.link.udp.linux.LinuxProbe;
import org.verbena.system.NativeAccess;

/** The check of ports that only Linux has. */
final class LinuxOnly {
    private LinuxOnly() {}

    /** @throws LinkException if this is not 64-bit Linux, or the JVM denies native access */
    static void require(String what) {
        if (!LinuxProbe.isLinux()) {
            throw new LinkException(what + " asked for on " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch") + ", 64-bit Linux expected");
        }
        try {
            NativeAccess.require();
        } catch (IllegalCallerException denied) {
            throw new LinkException(what + ": " + denied.getMessage(), denied);
        }
    }
}
