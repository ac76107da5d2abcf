package org.verbena.services.lan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.link.frame.EthernetHeader;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.Offload;
import org.verbena.link.frame.OffloadKind;
import org.verbena.services.ethernet.PortSet;
import org.verbena.services.ethernet.Switch;
import org.verbena.services.ethernet.SwitchVerdict;
import org.verbena.services.push.SendBuffers;

/**
 * Moves frames between the LAN port and the hosts of a unit. A frame that goes to several hosts is copied once. Each host has an equal share of the send buffers, so
 * that a host that takes no frames keeps no other from getting theirs.
 *
 * <p>One large buffer is always the forwarder's: frames of the LAN are received there.
 */
final class Forwarder implements AutoCloseable {
    private final FramePort lan;
    private final SendBuffers buffers;
    private final MemorySegment sending;
    private final Switch fabric;
    private final @Nullable UnitHost[] hosts;
    private final PortSet ports;
    private final Offload offload = new Offload();
    private final EthernetHeader plainHeader = new EthernetHeader();
    /** The frame of a host. The host can write into its element at any time, so a frame is judged and forwarded from a copy. */
    private final MemorySegment received = Arena.ofAuto().allocate(LanSizes.LARGE_BYTES, 64);

    private final int small;
    private final int large;
    private int hostCount;
    private int scratch;
    private long lanErrors;

    // The frame that is being forwarded.
    private MemorySegment memory = MemorySegment.NULL;
    private long frameAt;
    private int frameBytes;
    private boolean headed;
    private OffloadKind kind = OffloadKind.MALFORMED;
    private EthernetHeader ethernet = plainHeader;
    private int wireBytes;

    /**
     * Makes a forwarder without hosts.
     *
     * @param small small buffers in all
     * @param large large buffers in all; 0 if there are none
     */
    Forwarder(FramePort lan, SendBuffers buffers, int small, int large, Switch fabric) {
        this.lan = lan;
        this.buffers = buffers;
        this.sending = buffers.memory();
        this.fabric = fabric;
        this.hosts = new UnitHost[fabric.portsMax()];
        this.ports = new PortSet(fabric.portsMax());
        this.scratch = buffers.take(buffers.roomMax());
        // The forwarder keeps one for itself, and one is the next it keeps when that is sent.
        this.small = large == 0 ? small - 1 : small;
        this.large = Math.max(0, large - 2);
    }

    void add(UnitHost host) {
        hosts[host.port] = host;
        hostCount++;
    }

    void remove(UnitHost host) {
        hosts[host.port] = null;
        hostCount--;
    }

    /** Hosts now. */
    int hostCount() {
        return hostCount;
    }

    /** Frames of the LAN that were malformed. */
    long lanErrors() {
        return lanErrors;
    }

    // --- frames of the LAN

    /** Takes frames of the LAN, some at most; their number. */
    int fromLan(int most, long nowNs) {
        int taken = 0;
        for (; taken < most; taken++) {
            boolean withHeader = lan.offloads();
            int skipped = withHeader ? 0 : FramePort.OFFLOAD_HEADER_BYTES;
            long at = buffers.offset(scratch);
            int length = lan.receive(sending, at + skipped, buffers.room(scratch) - skipped);
            if (length == 0) {
                break;
            }
            if (!withHeader) {
                clearHeader(at);
            }
            if (!takeHeaded(sending, at, length + skipped)) {
                lanErrors++;
            } else if (fabric.route(Switch.LAN, ethernet, nowNs, ports) == SwitchVerdict.FORWARDED) {
                toHosts(true);
            }
        }
        return taken;
    }

    private void clearHeader(long at) {
        sending.set(ValueLayout.JAVA_LONG_UNALIGNED, at, 0);
        sending.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + Long.BYTES, (short) 0);
    }

    private boolean takeHeaded(MemorySegment from, long at, int length) {
        kind = offload.begin(from, at, length);
        memory = from;
        frameAt = at + FramePort.OFFLOAD_HEADER_BYTES;
        frameBytes = length - FramePort.OFFLOAD_HEADER_BYTES;
        headed = true;
        ethernet = offload.header().ethernet();
        wireBytes = offload.header().wireBytes(kind, length);
        return kind != OffloadKind.MALFORMED;
    }

    private boolean takePlain(MemorySegment from, long at, int length) {
        kind = OffloadKind.COMPLETE;
        memory = from;
        frameAt = at;
        frameBytes = length;
        headed = false;
        ethernet = plainHeader;
        wireBytes = length;
        return plainHeader.read(from, at, length);
    }

    // --- frames of hosts

    /** A host has sent a datum. */
    void fromHost(UnitHost host, MemorySegment from, long at, int length, long nowNs) {
        boolean whole = length <= LanSizes.LARGE_BYTES;
        if (whole) {
            MemorySegment.copy(from, at, received, 0, length);
            whole = host.offloads ? takeHeaded(received, 0, length) : takePlain(received, 0, length);
        }
        LanCounter refused = whole ? judge(host, nowNs) : LanCounter.TX_ERRORS;
        if (refused != null) {
            host.counters.txDropped(refused);
            return;
        }
        host.counters.add(LanCounter.TX_PACKETS);
        host.counters.add(LanCounter.TX_BYTES, frameBytes);
        if (EthernetHeader.isGroup(ethernet.destination())) {
            host.counters.add(isBroadcast() ? LanCounter.TX_BROADCAST : LanCounter.TX_MULTICAST);
        }
        if (ports.contains(Switch.LAN)) {
            toLan(host.counters);
        }
        toHosts(false);
    }

    private boolean isBroadcast() {
        return ethernet.destination() == EthernetHeader.BROADCAST;
    }

    private @Nullable LanCounter judge(UnitHost host, long nowNs) {
        if (wireBytes - ethernet.bytes() > host.mtu) {
            return LanCounter.TX_LENGTH_ERRORS;
        }
        return switch (fabric.route(host.port, ethernet, nowNs, ports)) {
            case FORWARDED -> null;
            case BAD_SOURCE -> LanCounter.TX_ERRORS;
            case SPOOFED -> LanCounter.TX_SPOOFED;
            case WRONG_VLAN -> LanCounter.TX_VLAN_ERRORS;
        };
    }

    private void toLan(LanCounters counters) {
        boolean taken;
        if (lan.offloads()) {
            if (headed) {
                taken = lan.send(
                        memory, frameAt - FramePort.OFFLOAD_HEADER_BYTES, frameBytes + FramePort.OFFLOAD_HEADER_BYTES);
            } else {
                long at = buffers.offset(scratch);
                taken = frameBytes + FramePort.OFFLOAD_HEADER_BYTES <= buffers.room(scratch);
                if (taken) {
                    copyHeaded(at);
                    taken = lan.send(sending, at, frameBytes + FramePort.OFFLOAD_HEADER_BYTES);
                }
            }
        } else if (kind == OffloadKind.COMPLETE) {
            taken = lan.send(memory, frameAt, frameBytes);
        } else {
            counters.add(kind == OffloadKind.SEGMENTS ? LanCounter.TX_SEGMENTED : LanCounter.TX_CHECKSUMS);
            taken = toLanInPieces();
        }
        if (!taken) {
            counters.txDropped(LanCounter.TX_FIFO_ERRORS);
        }
    }

    private boolean toLanInPieces() {
        long at = buffers.offset(scratch);
        boolean taken = true;
        offload.restart();
        for (int bytes = offload.next(sending, at); bytes != 0; bytes = offload.next(sending, at)) {
            taken &= lan.send(sending, at, bytes);
        }
        return taken;
    }

    // --- frames for hosts

    /**
     * Sends the frame to all hosts in the set.
     *
     * @param inScratch whether the frame is in the forwarder's own buffer, which can be sent
     */
    private void toHosts(boolean inScratch) {
        int withHeader = -1;
        boolean plain = false;
        for (int port = ports.next(1); port >= 0; port = ports.next(port + 1)) {
            UnitHost host = hosts[port];
            if (host == null || !admits(host)) {
                ports.remove(port);
            } else if (!host.offloads) {
                plain = true;
            } else {
                if (withHeader < 0) {
                    withHeader = headedSlot(inScratch);
                }
                push(host, withHeader, frameBytes + FramePort.OFFLOAD_HEADER_BYTES, frameBytes, true);
            }
        }
        if (plain && kind == OffloadKind.COMPLETE) {
            int slot = LanSizes.take(buffers, frameBytes);
            if (slot >= 0) {
                MemorySegment.copy(memory, frameAt, sending, buffers.offset(slot), frameBytes);
            }
            toPlainHosts(slot, frameBytes, true);
        } else if (plain) {
            piecesToPlainHosts();
        }
        if (withHeader >= 0) {
            buffers.release(withHeader);
        }
    }

    private boolean admits(UnitHost host) {
        host.share.settle(host.outlet.underWay());
        if (wireBytes - ethernet.bytes() > host.mtu) {
            host.counters.rxDropped(LanCounter.RX_LENGTH_ERRORS);
            return false;
        }
        return true;
    }

    /** A buffer with the frame behind an offload header; −1 if there is none. */
    private int headedSlot(boolean inScratch) {
        int length = frameBytes + FramePort.OFFLOAD_HEADER_BYTES;
        if (inScratch && LanSizes.isLarge(buffers, scratch) && length > LanSizes.SMALL_BYTES) {
            int next = buffers.take(buffers.roomMax());
            if (next < 0) {
                return -1;
            }
            int slot = scratch;
            scratch = next;
            return slot;
        }
        int slot = LanSizes.take(buffers, length);
        if (slot >= 0) {
            copyHeaded(buffers.offset(slot));
        }
        return slot;
    }

    private void copyHeaded(long at) {
        if (headed) {
            int length = frameBytes + FramePort.OFFLOAD_HEADER_BYTES;
            MemorySegment.copy(memory, frameAt - FramePort.OFFLOAD_HEADER_BYTES, sending, at, length);
        } else {
            clearHeader(at);
            MemorySegment.copy(memory, frameAt, sending, at + FramePort.OFFLOAD_HEADER_BYTES, frameBytes);
        }
    }

    private void piecesToPlainHosts() {
        offload.restart();
        boolean first = true;
        for (int bytes = offload.nextBytes(); bytes != 0; bytes = offload.nextBytes()) {
            int slot = LanSizes.take(buffers, bytes);
            if (slot < 0) {
                toPlainHosts(-1, bytes, first);
                return;
            }
            offload.next(sending, buffers.offset(slot));
            toPlainHosts(slot, bytes, first);
            first = false;
        }
    }

    private void toPlainHosts(int slot, int bytes, boolean counted) {
        for (int port = ports.next(1); port >= 0; port = ports.next(port + 1)) {
            UnitHost host = hosts[port];
            if (host != null && !host.offloads) {
                push(host, slot, bytes, bytes, counted);
            }
        }
        if (slot >= 0) {
            buffers.release(slot);
        }
    }

    private void push(UnitHost host, int slot, int length, int bytes, boolean counted) {
        LanCounters counters = host.counters;
        if (length > host.outlet.bytesMax()) {
            counters.rxDropped(LanCounter.RX_LENGTH_ERRORS);
        } else if (slot < 0 || !isWithinShare(host, LanSizes.isLarge(buffers, slot))) {
            counters.rxDropped(LanCounter.RX_NO_BUFFER);
        } else if (!host.outlet.push(slot, length)) {
            counters.rxDropped(LanCounter.RX_OVER_ERRORS);
        } else {
            host.share.add(LanSizes.isLarge(buffers, slot));
            counters.add(LanCounter.RX_PACKETS);
            counters.add(LanCounter.RX_BYTES, bytes);
            if (counted && EthernetHeader.isGroup(ethernet.destination())) {
                counters.add(isBroadcast() ? LanCounter.RX_BROADCAST : LanCounter.MULTICAST);
            }
        }
    }

    private boolean isWithinShare(UnitHost host, boolean isLarge) {
        return isLarge
                ? host.share.large() < Math.max(1, large / hostCount)
                : host.share.small() < Math.max(1, small / hostCount);
    }

    /** Gives the forwarder's own buffer back. */
    @Override
    public void close() {
        if (scratch >= 0) {
            buffers.release(scratch);
            scratch = -1;
        }
    }
}
