package org.verbena.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Sizes and offsets that a C compiler prints for x86-64 and aarch64 Linux. */
final class LinuxStructsTest {
    @Test
    void structuresHaveTheSizesOfTheKernelsHeaders() {
        assertEquals(16, LinuxStructs.IOVEC.byteSize());
        assertEquals(56, LinuxStructs.MSGHDR.byteSize());
        assertEquals(64, LinuxStructs.MMSGHDR.byteSize());
        assertEquals(16, LinuxStructs.CMSGHDR.byteSize());
        assertEquals(16, LinuxStructs.SOCKADDR_IN.byteSize());
        assertEquals(28, LinuxStructs.SOCKADDR_IN6.byteSize());
        assertEquals(8, LinuxStructs.POLLFD.byteSize());
        assertEquals(16, LinuxStructs.TIMESPEC.byteSize());
    }

    @Test
    void fieldsAreWhereTheKernelLooksForThem() {
        assertEquals(8, LinuxStructs.MSG_NAMELEN);
        assertEquals(16, LinuxStructs.MSG_IOV);
        assertEquals(24, LinuxStructs.MSG_IOVLEN);
        assertEquals(32, LinuxStructs.MSG_CONTROL);
        assertEquals(40, LinuxStructs.MSG_CONTROLLEN);
        assertEquals(48, LinuxStructs.MSG_FLAGS);
        assertEquals(56, LinuxStructs.MSG_LEN);
        assertEquals(8, LinuxStructs.CMSG_LEVEL);
        assertEquals(12, LinuxStructs.CMSG_TYPE);
        assertEquals(16, LinuxStructs.CMSG_DATA);
    }

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
