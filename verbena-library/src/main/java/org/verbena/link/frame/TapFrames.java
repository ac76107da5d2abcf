package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;

/**
 * The port of a TAP interface. The descriptor always has the header of {@link OffloadHeader} in front of each frame; while offloads are off, the port keeps
 * it to itself.
 */
final class TapFrames extends DescriptorPort {
    private static final String DEVICE = "/dev/net/tun";
    private static final int OFFLOADS = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;

    private final InterfaceControl control;
    private final FrameVectors vectors = new FrameVectors();

    private TapFrames(String name, int descriptor, InterfaceControl control) {
        super(name, descriptor);
        this.control = control;
    }

    static TapFrames open(String name) {
        Libc libc = new Libc();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(IFREQ);
            InterfaceControl.writeName(request, name);
            int descriptor = openDevice(libc, name);
            try {
                return open(libc, descriptor, name, request);
            } catch (LinkException e) {
                libc.close(descriptor);
                throw e;
            }
        }
    }

    private static int openDevice(Libc libc, String name) {
        int descriptor = libc.open(DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        return switch (descriptor) {
            case -Libc.ENOENT, -Libc.ENODEV, -Libc.ENXIO ->
                throw new LinkException("no " + DEVICE
                        + " found, expected for TAP interfaces: load the kernel's module with modprobe tun,"
                        + " or give the device to the container");
            case -Libc.EACCES, -Libc.EPERM ->
                throw new LinkException(DEVICE + " is not open to this user, expected for TAP interface \"" + name
                        + "\": its mode is 0666 on most systems");
            default -> {
                require(descriptor, "open of " + DEVICE);
                yield descriptor;
            }
        };
    }

    private static TapFrames open(Libc libc, int descriptor, String asked, MemorySegment request) {
        request.set(JAVA_SHORT, IFR_IFRU, (short) (IFF_TAP | IFF_NO_PI | IFF_VNET_HDR));
        refuse(libc.ioctl(descriptor, TUNSETIFF, request.address()), asked);
        String name = request.getString(0);
        require(libc.ioctl(descriptor, TUNSETVNETHDRSZ, intAt(request, OFFLOAD_HEADER_BYTES)), "TUNSETVNETHDRSZ");
        require(libc.ioctl(descriptor, TUNSETOFFLOAD, 0), "TUNSETOFFLOAD");
        InterfaceControl control = new InterfaceControl(libc, name, descriptor);
        try {
            control.setUp();
            return new TapFrames(name, descriptor, control);
        } catch (LinkException e) {
            control.close();
            throw e;
        }
    }

    /** The address of an int in memory that is free. */
    private static long intAt(MemorySegment request, int value) {
        request.set(JAVA_INT, IFR_IFRU, value);
        return request.address() + IFR_IFRU;
    }

    private static void refuse(int result, String name) {
        String what = "TAP interface \"" + name + "\"";
        switch (result) {
            case -Libc.EPERM, -Libc.EACCES ->
                throw new LinkException(what + " needs CAP_NET_ADMIN, or a TAP interface that was made for this user:"
                        + " ip tuntap add dev NAME mode tap user NAME");
            case -Libc.EBUSY -> throw new LinkException(what + " found in use by another port or process");
            case -Libc.EINVAL ->
                throw new LinkException(
                        what + " found to be no TAP interface with one queue, or no valid name: another name expected");
            default -> require(result, what);
        }
    }

    private static void require(int result, String what) {
        if (result < 0) {
            throw new LinkException(what + " refused by the system: " + Libc.describe(-result));
        }
    }

    @Override
    long read(MemorySegment into, long offset, int room, boolean exact) {
        boolean headed = offloads();
        long first = vectors.toRead(into.address() + offset, room, headed);
        int count = vectors.count(headed);
        long read = exact ? libc.readvOrError(descriptor, first, count) : libc.readv(descriptor, first, count);
        return read < 0 || headed ? read : Math.max(0, read - OFFLOAD_HEADER_BYTES);
    }

    @Override
    boolean write(MemorySegment from, long offset, int length) {
        boolean headed = offloads();
        long first = vectors.toWrite(from.address() + offset, length, headed);
        return libc.writev(descriptor, first, vectors.count(headed) - 1) > 0;
    }

    @Override
    public boolean canOffload() {
        return true;
    }

    @Override
    void switchOffloads(boolean on) {
        require(libc.ioctl(descriptor, TUNSETOFFLOAD, on ? OFFLOADS : 0), "TUNSETOFFLOAD of " + name());
    }

    @Override
    boolean looksUp() {
        return control.isUp();
    }

    @Override
    public void carrier(boolean up) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(JAVA_INT, up ? 1 : 0);
            require(libc.ioctl(descriptor, TUNSETCARRIER, value.address()), "TUNSETCARRIER of " + name());
        }
    }

    @Override
    public long macAddress() {
        return control.macAddress();
    }

    @Override
    public void macAddress(long bits) {
        control.macAddress(bits, descriptor);
    }

    @Override
    public int mtu() {
        return control.mtu();
    }

    @Override
    public void mtu(int bytes) {
        control.mtu(bytes);
    }

    @Override
    void release() {
        control.close();
    }
}
