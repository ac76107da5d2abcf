package org.verbena.link.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        assertEquals(110, LinuxStructs.SOCKADDR_UN.byteSize());
        assertEquals(20, LinuxStructs.SOCKADDR_LL.byteSize());
        assertEquals(16, LinuxStructs.PACKET_MREQ.byteSize());
        assertEquals(20, LinuxStructs.TPACKET_AUXDATA.byteSize());
        assertEquals(40, LinuxStructs.IFREQ.byteSize());
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
        assertEquals(16, LinuxStructs.IFR_IFRU);
        assertEquals(16, LinuxStructs.TP_VLAN_TCI);
        assertEquals(18, LinuxStructs.TP_VLAN_TPID);
    }
}
