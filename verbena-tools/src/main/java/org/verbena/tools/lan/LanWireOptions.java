package org.verbena.tools.lan;

import java.net.InetAddress;
import org.verbena.link.Endpoint;
import org.verbena.tools.link.LinkOptions;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.link.Place;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a unit and a host reach each other, and how long they run. */
public final class LanWireOptions {
    /** The protocols. */
    enum Wire {
        roce,
        iwarp
    }

    @Option(
            names = "--wire",
            paramLabel = "roce|iwarp",
            description = "RoCEv2 over UDP, or iWARP over TCP. Default: roce. Both ends must use the same.")
    private Wire wire = Wire.roce;

    @Option(
            names = "--udp-port",
            paramLabel = "N",
            description = "UDP port of RoCEv2. Default: 4791; the other end must use the same.")
    private int udpPort = Endpoint.ROCE_PORT;

    @Option(names = "--no-offloads", description = "Use no offloads: no frame is longer than the MTU.")
    private boolean noOffloads;

    @Option(names = "--stats", paramLabel = "SECONDS", description = "Print statistics every so many seconds.")
    private int statsSeconds;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "End after so many seconds. Default: 0, when interrupted.")
    private int durationSeconds;

    @Mixin
    private LinkOptions link;

    /** Not given. */
    public LanWireOptions() {}

    boolean offloads() {
        return !noOffloads;
    }

    /** Whether the adapter has channels of the JDK: those of TCP. */
    boolean hasChannels() {
        return wire == Wire.iwarp;
    }

    int udpPort() {
        return udpPort;
    }

    /** What is to be printed, and when it ends. @throws IllegalArgumentException that names the value found and the value expected */
    LanPeriods periods() {
        if (statsSeconds < 0 || durationSeconds < 0) {
            throw new IllegalArgumentException(
                    "--stats " + statsSeconds + " and --duration " + durationSeconds + " found, 0 or more expected");
        }
        return new LanPeriods(statsSeconds, durationSeconds);
    }

    /** Where the adapter is opened. @throws IllegalArgumentException that names the value found and the value expected */
    LinkSetting setting() {
        return link.setting();
    }

    Adapter open(LinkSetting setting, InetAddress local, String name) {
        Place place = wire == Wire.iwarp
                ? Place.of(setting.streams(local))
                : Place.of(setting.around(LinkSetting.udp(local, udpPort, true)));
        // The thread of the driver drives the adapter too: no frame passes from thread to thread.
        return place.open(AdapterOptions.DEFAULT.withName(name).withRun(AdapterOptions.Run.INLINE));
    }
}
