package org.verbena.link.udp.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkError;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.linux.Libc;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

@EnabledOnOs(OS.LINUX)
final class LinuxRunsTest {
    @Test
    void errorNumbersHaveKinds() {
        assertEquals(LinkError.UNREACHABLE, LinuxErrors.kind(Libc.ENETUNREACH));
        assertEquals(LinkError.OTHER, LinuxErrors.kind(Libc.EIO));
    }

    @Test
    void longRunsAreCutAtTheKernelsLimits() {
        UdpOptions options = UdpOptions.defaults().withDriver(UdpDriver.LINUX);
        try (Link link = UdpNetwork.open(Endpoint.of("127.0.0.1", 0), options)) {
            LinkPath path = link.path(Endpoint.of("127.0.0.1", 9), LinkFlow.of(0));
            assertEquals(LinuxSegmentation.SEGMENTS_MAX - 1, highestIdentification(link, path, 20));
            assertEquals(65_507 / 4112 - 1, highestIdentification(link, path, 4112));
            assertEquals(0, link.counters().sendDropped(), "the kernel takes runs as long as we make them");
        }
    }

    private static int highestIdentification(Link link, LinkPath path, int length) {
        int highest = 0;
        for (int i = 0; i < 200; i++) {
            Packet packet = link.claim(path, length);
            assertNotNull(packet);
            highest = Math.max(highest, packet.identification());
            link.commit(packet);
        }
        link.flush();
        return highest;
    }
}
