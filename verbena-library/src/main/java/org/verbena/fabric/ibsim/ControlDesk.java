package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.verbena.link.ibsim.IbsimSockets;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.SubnetAgent;
import org.verbena.wire.BigEndian;

/**
 * Answers the messages of connected clients at the control port. A tool sees in them what the registers of its port have, whatever the management key is, as
 * programs of a host do.
 */
final class ControlDesk {
    /** Keys in a reply. */
    private static final int PKEYS = ControlMessage.DATA_LENGTH / Short.BYTES;

    /** Length of the management key, the first field of PortInfo, which tools need not know. */
    private static final int KEY_LENGTH = Long.BYTES;

    private static final long USUAL_PREFIX = 0xfe80_0000_0000_0000L;

    // In NodeInfo.
    private static final int DEVICE = 30;
    private static final int REVISION = 32;
    private static final int VENDOR = 36;
    private static final int VENDOR_MASK = 0xff_ffff;

    // In the reply to a question for the vendor.
    private static final int PART = ControlMessage.DATA + 4;
    private static final int HARDWARE = ControlMessage.DATA + 8;
    private static final int FIRMWARE = ControlMessage.DATA + 16;
    private static final long FIRMWARE_VERSION = 1;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(ControlMessage.LENGTH);
    private final MemorySegment reply = MemorySegment.ofBuffer(bytes);
    private final MemorySegment attribute = MemorySegment.ofArray(new long[ControlMessage.DATA_LENGTH / Long.BYTES]);
    private final IbsimSockets sockets;
    private final Tally tally;

    ControlDesk(IbsimSockets sockets, Tally tally) {
        this.sockets = sockets;
        this.tally = tally;
    }

    /** Sends a message back as it came, but for its type. */
    void error(MemorySegment request, InetSocketAddress source) {
        tally.controlErrors++;
        copy(request);
        ControlMessage.type(reply, ControlMessage.ERROR);
        sockets.reply(bytes, source);
    }

    /** Sends a message back as it came. */
    void echo(MemorySegment request, InetSocketAddress source) {
        copy(request);
        sockets.reply(bytes, source);
    }

    /** The client is connected. */
    void connected(MemorySegment request, InetSocketAddress source, Client client) {
        copy(request);
        ControlMessage.writeInt(reply, ControlMessage.CONNECT_ID, client.slot());
        ControlMessage.node(reply, client.port().node().name());
        sockets.reply(bytes, source);
    }

    /** A question of a connected client about its port. */
    void question(MemorySegment request, InetSocketAddress source, Client client) {
        copy(request);
        int asked = BigEndian.readByte(reply, ControlMessage.DATA);
        ControlMessage.clearData(reply);
        if (answer(ControlMessage.type(request), asked, client.port())) {
            sockets.reply(bytes, source);
        } else {
            error(request, source);
        }
    }

    /** Writes the data of a reply; false if there is none. */
    private boolean answer(int type, int asked, ManagedPort port) {
        ManagedNode node = port.node();
        switch (type) {
            case ControlMessage.PORT -> {
                ControlMessage.writeShort(reply, ControlMessage.DATA, port.lid());
                BigEndian.writeByte(reply, ControlMessage.DATA + 2, port.state().code());
            }
            case ControlMessage.VENDOR -> vendor(port);
            case ControlMessage.GID -> {
                // The prefix has the order of the wire, the GUID that of the machine, as in ibsim.
                long prefix = port.gidPrefix() == 0 ? USUAL_PREFIX : port.gidPrefix();
                BigEndian.writeLong(reply, ControlMessage.DATA, prefix);
                ControlMessage.writeLong(reply, ControlMessage.DATA + Long.BYTES, node.guid());
            }
            case ControlMessage.GUID -> ControlMessage.writeLong(reply, ControlMessage.DATA, node.guid());
            case ControlMessage.NODE_INFO -> SubnetAgent.nodeInfo(node, port.number(), reply, ControlMessage.DATA);
            case ControlMessage.PORT_INFO -> {
                return portInfo(port, asked);
            }
            case ControlMessage.PKEYS -> pkeys(port);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void vendor(ManagedPort port) {
        SubnetAgent.nodeInfo(port.node(), port.number(), attribute, 0);
        ControlMessage.writeInt(reply, ControlMessage.DATA, BigEndian.readInt(attribute, VENDOR) & VENDOR_MASK);
        ControlMessage.writeInt(reply, PART, BigEndian.readShort(attribute, DEVICE));
        ControlMessage.writeInt(reply, HARDWARE, BigEndian.readInt(attribute, REVISION));
        ControlMessage.writeLong(reply, FIRMWARE, FIRMWARE_VERSION);
    }

    /** Number 0 asks for the port of the client. */
    private boolean portInfo(ManagedPort own, int asked) {
        if (asked > own.node().portCount()) {
            return false;
        }
        ManagedPort shown = asked == 0 ? own : own.node().port(asked);
        SubnetAgent.portInfo(shown, own.number(), reply, ControlMessage.DATA);
        reply.asSlice(ControlMessage.DATA, KEY_LENGTH).fill((byte) 0);
        return true;
    }

    private void pkeys(ManagedPort port) {
        for (int i = 0; i < PKEYS; i++) {
            BigEndian.writeShort(reply, ControlMessage.DATA + (long) i * Short.BYTES, port.partition(i));
        }
    }

    private void copy(MemorySegment request) {
        MemorySegment.copy(request, 0, reply, 0, ControlMessage.LENGTH);
    }
}
