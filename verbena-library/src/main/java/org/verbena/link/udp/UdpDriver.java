package org.verbena.link.udp;

import java.util.Arrays;
import java.util.Locale;
import org.verbena.link.LinkException;

/** Which implementation of UDP to use. */
public enum UdpDriver {
    /** The fastest that works here. */
    AUTO,
    /** Linux's system calls, with segmentation offload. */
    LINUX,
    /** The JDK's channels: everywhere. */
    NIO;

    /** Names the driver to use where none is asked for: {@code auto}, {@code linux} or {@code nio}. */
    public static final String PROPERTY = "verbena.link.udp";

    /** The driver that the system property {@value #PROPERTY} names, {@link #AUTO} if it is not set. */
    public static UdpDriver configured() {
        String name = System.getProperty(PROPERTY, "auto");
        for (UdpDriver driver : values()) {
            if (driver.name().equalsIgnoreCase(name)) {
                return driver;
            }
        }
        throw new LinkException("system property " + PROPERTY + ": \"" + name + "\" found, one of "
                + Arrays.toString(values()).toLowerCase(Locale.ROOT) + " expected");
    }
}
