package org.verbena.link.linux;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Structures and constants of Linux's system calls, for x86-64 and aarch64. Names are Linux's, so that manual pages help. */
public final class LinuxStructs {
    public static final ValueLayout.OfInt INT_BIG = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfShort SHORT_BIG = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfLong LONG_BIG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    public static final StructLayout IOVEC =
            MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));

    public static final StructLayout MSGHDR = MemoryLayout.structLayout(
            JAVA_LONG.withName("msg_name"),
            JAVA_INT.withName("msg_namelen"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("msg_iov"),
            JAVA_LONG.withName("msg_iovlen"),
            JAVA_LONG.withName("msg_control"),
            JAVA_LONG.withName("msg_controllen"),
            JAVA_INT.withName("msg_flags"),
            MemoryLayout.paddingLayout(4));

    /** A message header and the number of bytes sent or received. */
    public static final StructLayout MMSGHDR = MemoryLayout.structLayout(
            MSGHDR.withName("msg_hdr"), JAVA_INT.withName("msg_len"), MemoryLayout.paddingLayout(4));

    /** Followed by the data of the control message. */
    public static final StructLayout CMSGHDR = MemoryLayout.structLayout(
            JAVA_LONG.withName("cmsg_len"), JAVA_INT.withName("cmsg_level"), JAVA_INT.withName("cmsg_type"));

    public static final StructLayout SOCKADDR_IN = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sin_family"),
            SHORT_BIG.withName("sin_port"),
            INT_BIG.withName("sin_addr"),
            MemoryLayout.sequenceLayout(8, JAVA_BYTE).withName("sin_zero"));

    public static final StructLayout SOCKADDR_IN6 = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sin6_family"),
            SHORT_BIG.withName("sin6_port"),
            INT_BIG.withName("sin6_flowinfo"),
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("sin6_addr"),
            JAVA_INT.withName("sin6_scope_id"));

    public static final StructLayout IP_MREQN = MemoryLayout.structLayout(
            INT_BIG.withName("imr_multiaddr"), INT_BIG.withName("imr_address"), JAVA_INT.withName("imr_ifindex"));

    public static final StructLayout IPV6_MREQ = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("ipv6mr_multiaddr"),
            JAVA_INT.withName("ipv6mr_interface"));

    public static final StructLayout SOCKADDR_UN = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sun_family"),
            MemoryLayout.sequenceLayout(108, JAVA_BYTE).withName("sun_path"));

    public static final StructLayout SOCKADDR_LL = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sll_family"),
            SHORT_BIG.withName("sll_protocol"),
            JAVA_INT.withName("sll_ifindex"),
            JAVA_SHORT.withName("sll_hatype"),
            JAVA_BYTE.withName("sll_pkttype"),
            JAVA_BYTE.withName("sll_halen"),
            MemoryLayout.sequenceLayout(8, JAVA_BYTE).withName("sll_addr"));

    public static final StructLayout PACKET_MREQ = MemoryLayout.structLayout(
            JAVA_INT.withName("mr_ifindex"),
            JAVA_SHORT.withName("mr_type"),
            JAVA_SHORT.withName("mr_alen"),
            MemoryLayout.sequenceLayout(8, JAVA_BYTE).withName("mr_address"));

    public static final StructLayout TPACKET_AUXDATA = MemoryLayout.structLayout(
            JAVA_INT.withName("tp_status"),
            JAVA_INT.withName("tp_len"),
            JAVA_INT.withName("tp_snaplen"),
            JAVA_SHORT.withName("tp_mac"),
            JAVA_SHORT.withName("tp_net"),
            JAVA_SHORT.withName("tp_vlan_tci"),
            JAVA_SHORT.withName("tp_vlan_tpid"));

    /** A name, and a union whose longest member has 24 bytes. */
    public static final StructLayout IFREQ = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("ifr_name"),
            MemoryLayout.sequenceLayout(3, JAVA_LONG).withName("ifr_ifru"));

    public static final StructLayout POLLFD = MemoryLayout.structLayout(
            JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));

    public static final StructLayout TIMESPEC =
            MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));

    public static final long IOV_BASE = IOVEC.byteOffset(groupElement("iov_base"));
    public static final long IOV_LEN = IOVEC.byteOffset(groupElement("iov_len"));
    public static final long MSG_NAME = MSGHDR.byteOffset(groupElement("msg_name"));
    public static final long MSG_NAMELEN = MSGHDR.byteOffset(groupElement("msg_namelen"));
    public static final long MSG_IOV = MSGHDR.byteOffset(groupElement("msg_iov"));
    public static final long MSG_IOVLEN = MSGHDR.byteOffset(groupElement("msg_iovlen"));
    public static final long MSG_CONTROL = MSGHDR.byteOffset(groupElement("msg_control"));
    public static final long MSG_CONTROLLEN = MSGHDR.byteOffset(groupElement("msg_controllen"));
    public static final long MSG_FLAGS = MSGHDR.byteOffset(groupElement("msg_flags"));
    public static final long MSG_LEN = MMSGHDR.byteOffset(groupElement("msg_len"));
    public static final long CMSG_LEN = CMSGHDR.byteOffset(groupElement("cmsg_len"));
    public static final long CMSG_LEVEL = CMSGHDR.byteOffset(groupElement("cmsg_level"));
    public static final long CMSG_TYPE = CMSGHDR.byteOffset(groupElement("cmsg_type"));
    public static final long CMSG_DATA = CMSGHDR.byteSize();
    public static final long TP_STATUS = TPACKET_AUXDATA.byteOffset(groupElement("tp_status"));
    public static final long TP_VLAN_TCI = TPACKET_AUXDATA.byteOffset(groupElement("tp_vlan_tci"));
    public static final long TP_VLAN_TPID = TPACKET_AUXDATA.byteOffset(groupElement("tp_vlan_tpid"));
    public static final long IFR_IFRU = IFREQ.byteOffset(groupElement("ifr_ifru"));

    /** Bytes of one control message with 1 … 8 bytes of data. */
    public static final int CONTROL_SPACE = 24;

    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int AF_PACKET = 17;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_RAW = 3;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;
    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_SNDBUFFORCE = 32;
    public static final int SO_RCVBUFFORCE = 33;
    public static final int SO_RXQ_OVFL = 40;
    public static final int IPPROTO_IP = 0;
    public static final int IP_TOS = 1;
    public static final int IP_TTL = 2;
    public static final int IP_MTU_DISCOVER = 10;
    public static final int IP_RECVERR = 11;
    public static final int IP_RECVTTL = 12;
    public static final int IP_RECVTOS = 13;
    public static final int IP_MULTICAST_IF = 32;
    public static final int IP_MULTICAST_TTL = 33;
    public static final int IP_ADD_MEMBERSHIP = 35;
    public static final int IP_MULTICAST_ALL = 49;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_UNICAST_HOPS = 16;
    public static final int IPV6_MULTICAST_IF = 17;
    public static final int IPV6_MULTICAST_HOPS = 18;
    public static final int IPV6_ADD_MEMBERSHIP = 20;
    public static final int IPV6_MTU_DISCOVER = 23;
    public static final int IPV6_RECVERR = 25;
    public static final int IPV6_V6ONLY = 26;
    public static final int IPV6_MULTICAST_ALL = 29;
    public static final int IPV6_RECVHOPLIMIT = 51;
    public static final int IPV6_HOPLIMIT = 52;
    public static final int IPV6_RECVTCLASS = 66;
    public static final int IPV6_TCLASS = 67;
    /** Never fragment; for both families. */
    public static final int PMTUDISC_DO = 2;

    public static final int SOL_UDP = 17;
    public static final int UDP_NO_CHECK6_RX = 102;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;
    public static final int SOL_PACKET = 263;
    public static final int PACKET_ADD_MEMBERSHIP = 1;
    public static final int PACKET_AUXDATA = 8;
    public static final int PACKET_VNET_HDR = 15;
    public static final int PACKET_IGNORE_OUTGOING = 23;
    public static final int PACKET_MR_PROMISC = 1;
    public static final int TP_STATUS_VLAN_VALID = 1 << 4;
    public static final int TP_STATUS_VLAN_TPID_VALID = 1 << 6;
    public static final int ETH_P_ALL = 3;
    public static final int ETH_P_8021Q = 0x8100;
    public static final int IFNAMSIZ = 16;
    public static final int IFF_UP = 1;
    public static final int IFF_RUNNING = 0x40;
    public static final int SIOCGIFFLAGS = 0x8913;
    public static final int SIOCSIFFLAGS = 0x8914;
    public static final int SIOCGIFMTU = 0x8921;
    public static final int SIOCSIFMTU = 0x8922;
    public static final int SIOCSIFHWADDR = 0x8924;
    public static final int SIOCGIFHWADDR = 0x8927;
    public static final int SIOCGIFINDEX = 0x8933;
    public static final int ARPHRD_ETHER = 1;
    public static final int IFF_TAP = 2;
    public static final int IFF_NO_PI = 0x1000;
    public static final int IFF_VNET_HDR = 0x4000;
    public static final long TUNSETIFF = 0x400454ca;
    public static final long TUNGETIFF = 0x800454d2;
    public static final long TUNGETDEVNETNS = 0x54e3;
    public static final int CLONE_NEWNET = 0x4000_0000;
    public static final long TUNSETOFFLOAD = 0x400454d0;
    public static final long TUNSETVNETHDRSZ = 0x400454d8;
    public static final long TUNSETCARRIER = 0x400454e2;
    public static final int TUN_F_CSUM = 1;
    public static final int TUN_F_TSO4 = 2;
    public static final int TUN_F_TSO6 = 4;
    public static final int TUN_F_TSO_ECN = 8;
    public static final int O_RDWR = 2;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;
    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_ERRQUEUE = 0x2000;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int EFD_CLOEXEC = 0x80000;
    public static final short POLLIN = 1;
    public static final int EPOLL_CLOEXEC = 0x80000;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLL_CTL_MOD = 3;
    public static final int EPOLLIN = 1;
    public static final int EPOLLOUT = 4;
    public static final int EPOLLET = 1 << 31;

    /** {@code struct epoll_event}: an int and, packed on x86-64 only, a long. */
    private static final boolean EPOLL_PACKED =
            System.getProperty("os.arch", "").equals("amd64");

    public static final long EPOLL_DATA = EPOLL_PACKED ? 4 : 8;
    public static final long EPOLL_EVENT_BYTES = EPOLL_DATA + 8;

    private LinuxStructs() {}
}
