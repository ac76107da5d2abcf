package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;

/**
 * Reads and changes the settings of a network interface of Linux, through a socket that belongs to the network namespace of its opener. A TAP interface may be
 * moved to another namespace, or get another name: the control follows it.
 */
final class InterfaceControl {
    /** Bytes of the longest name. */
    static final int NAME_BYTES_MAX = IFNAMSIZ - 1;

    private static final int MAC_BYTES = 6;

    private static final String OWN_NAMESPACE = "/proc/thread-self/ns/net";
    private static final int NO_TAP = -1;

    private final Libc libc;
    private final int tap;
    private String name;
    private int socket;
    private final MemorySegment request = Arena.ofAuto().allocate(IFREQ);

    InterfaceControl(Libc libc, String name) {
        this(libc, name, NO_TAP);
    }

    /** @param tap the descriptor of the TAP interface, which finds it wherever it is */
    InterfaceControl(Libc libc, String name, int tap) {
        this.libc = libc;
        this.name = name;
        this.tap = tap;
        this.socket = libc.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (socket < 0) {
            throw new LinkException("no socket to ask for interface " + name + ": " + Libc.describe(-socket));
        }
    }

    /** Writes the name of an interface, or a pattern of names, into a request. */
    static void writeName(MemorySegment request, String name) {
        byte[] bytes = name.getBytes(UTF_8);
        if (bytes.length > NAME_BYTES_MAX) {
            throw new LinkException("interface name \"" + name + "\" of " + bytes.length + " bytes found, at most "
                    + NAME_BYTES_MAX + " expected");
        }
        request.fill((byte) 0);
        MemorySegment.copy(bytes, 0, request, JAVA_BYTE, 0, bytes.length);
    }

    private int ask(int operation) {
        int result = askHere(operation);
        return result == -Libc.ENODEV && follow() ? askHere(operation) : result;
    }

    private int askHere(int operation) {
        writeName(request, name);
        return libc.ioctl(socket, operation, request.address());
    }

    /** Learns name and namespace of a TAP interface anew; false if that is not possible. */
    private boolean follow() {
        if (tap == NO_TAP || Thread.currentThread().isVirtual() || libc.ioctl(tap, TUNGETIFF, request.address()) < 0) {
            return false;
        }
        String found = request.getString(0);
        int namespace = libc.ioctl(tap, TUNGETDEVNETNS, 0);
        int own = libc.open(OWN_NAMESPACE, O_CLOEXEC);
        int there = namespace >= 0 && own >= 0 ? openSocketIn(namespace, own) : NO_TAP;
        if (namespace >= 0) {
            libc.close(namespace);
        }
        if (own >= 0) {
            libc.close(own);
        }
        if (there < 0) {
            return false;
        }
        libc.close(socket);
        socket = there;
        name = found;
        return true;
    }

    /** A socket in another namespace; negative if it cannot be had. */
    private int openSocketIn(int namespace, int own) {
        int moved = libc.setns(namespace, CLONE_NEWNET);
        if (moved < 0) {
            return moved;
        }
        int made = libc.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        int back = libc.setns(own, CLONE_NEWNET);
        if (back < 0) {
            throw new LinkException("the thread cannot go back to its network namespace: " + Libc.describe(-back));
        }
        return made;
    }

    private void load(int operation, String what) {
        int result = ask(operation);
        if (result == -Libc.ENODEV) {
            throw new LinkException("no interface " + name + " found in this network namespace"
                    + (tap == NO_TAP ? "" : "; one that was moved can be reached with CAP_SYS_ADMIN only"));
        }
        require(result, what);
    }

    private void require(int result, String what) {
        if (result < 0) {
            String hint = result == -Libc.EPERM ? ": needs CAP_NET_ADMIN, or: ip link set dev " + name + " …" : "";
            throw new LinkException(
                    what + " of interface " + name + " refused by the system: " + Libc.describe(-result) + hint);
        }
    }

    /** Its number. */
    int index() {
        load(SIOCGIFINDEX, "index");
        return request.get(JAVA_INT, IFR_IFRU);
    }

    /** Whether it is up and has a carrier; false if it is not there. */
    boolean isUp() {
        int flags = ask(SIOCGIFFLAGS) < 0 ? 0 : request.get(JAVA_SHORT, IFR_IFRU);
        return (flags & IFF_UP) != 0 && (flags & IFF_RUNNING) != 0;
    }

    /** Sets it up if it is not. Without the right to do so it stays down: the owner of the right can set it up later. */
    void setUp() {
        load(SIOCGIFFLAGS, "flags");
        short flags = request.get(JAVA_SHORT, IFR_IFRU);
        if ((flags & IFF_UP) == 0) {
            request.set(JAVA_SHORT, IFR_IFRU, (short) (flags | IFF_UP));
            int result = libc.ioctl(socket, SIOCSIFFLAGS, request.address());
            if (result != -Libc.EPERM) {
                require(result, "state \"up\"");
            }
        }
    }

    int mtu() {
        load(SIOCGIFMTU, "MTU");
        return request.get(JAVA_INT, IFR_IFRU);
    }

    void mtu(int bytes) {
        if (bytes != mtu()) {
            request.set(JAVA_INT, IFR_IFRU, bytes);
            require(libc.ioctl(socket, SIOCSIFMTU, request.address()), "MTU " + bytes);
        }
    }

    /** Its Ethernet address; 0 if it is no Ethernet interface. */
    long macAddress() {
        load(SIOCGIFHWADDR, "Ethernet address");
        return request.get(JAVA_SHORT, IFR_IFRU) == ARPHRD_ETHER ? readAddress() : 0;
    }

    boolean isEthernet() {
        load(SIOCGIFHWADDR, "Ethernet address");
        return request.get(JAVA_SHORT, IFR_IFRU) == ARPHRD_ETHER;
    }

    private long readAddress() {
        long bits = 0;
        for (int i = 0; i < MAC_BYTES; i++) {
            bits = (bits << 8) | (request.get(JAVA_BYTE, IFR_IFRU + 2 + i) & 0xff);
        }
        return bits;
    }

    /** @param through the descriptor that asks: that of a TAP needs no privilege */
    void macAddress(long bits, int through) {
        writeName(request, name);
        request.set(JAVA_SHORT, IFR_IFRU, (short) ARPHRD_ETHER);
        for (int i = 0; i < MAC_BYTES; i++) {
            request.set(JAVA_BYTE, IFR_IFRU + 2 + i, (byte) (bits >>> (8 * (MAC_BYTES - 1 - i))));
        }
        require(
                libc.ioctl(through, SIOCSIFHWADDR, request.address()),
                "Ethernet address " + String.format("%012x", bits));
    }

    void macAddress(long bits) {
        macAddress(bits, socket);
    }

    void close() {
        libc.close(socket);
    }
}
