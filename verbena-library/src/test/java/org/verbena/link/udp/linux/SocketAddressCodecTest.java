package org.verbena.link.udp.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.verbena.link.Endpoint;
import org.verbena.link.Packet;

final class SocketAddressCodecTest {
    @Test
    void socketAddressesReadBackAsTheyWereWritten() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(SocketAddressCodec.LENGTH_MAX, 8);
            for (String host : new String[] {"192.0.2.200", "2001:db8::8000:1"}) {
                Endpoint endpoint = Endpoint.of(host, 54321);
                int length = SocketAddressCodec.write(memory, 0, endpoint);
                assertEquals(endpoint.ipv6() ? 28 : 16, length);
                assertEquals(endpoint.ipv6() ? 10 : 2, memory.get(ValueLayout.JAVA_SHORT, 0));
                Packet packet = new Packet();
                SocketAddressCodec.readSource(memory, 0, packet);
                assertEquals(endpoint, Endpoint.of(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort()));
            }
        }
    }
}
