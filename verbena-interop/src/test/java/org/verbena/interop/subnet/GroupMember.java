package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A client of ibsim's protocol that asks the subnet administration to make its port a member of the broadcast group of IPoIB, and ends. The membership stays. The tools of
 * infiniband-diags do not join groups.
 */
final class GroupMember {
    private static final byte[] GROUP = HexFormat.of().parseHex("ff12401bffff000000000000ffffffff");
    private static final int MAGIC = 0xdead_beef;
    private static final int CONTROL_BYTES = 80;
    private static final int DATA_BYTES = 288;
    private static final int CONNECT = 1;
    private static final int DISCONNECT = 2;
    private static final int NODE_INFO = 7;
    private static final int PORT_INFO = 8;
    private static final int PATIENCE_MS = 60_000;

    private final int port;
    private final DatagramSocket control;
    private int slot;

    private GroupMember(int port, DatagramSocket control) {
        this.port = port;
        this.control = control;
    }

    /** Joins at port 1 of a node; the local identifier of the group. */
    static int join(int port, String node) throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket control = new DatagramSocket(0, loopback);
                DatagramSocket data = new DatagramSocket(0, loopback)) {
            control.setSoTimeout(PATIENCE_MS);
            data.setSoTimeout(PATIENCE_MS);
            control.connect(loopback, port);
            return new GroupMember(port, control).join(data, node);
        }
    }

    private int join(DatagramSocket data, String node) throws IOException {
        ByteBuffer connect = ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN);
        connect.putInt(0, data.getLocalPort()).put(12, node.getBytes(StandardCharsets.UTF_8));
        slot = call(CONNECT, connect.array()).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        data.connect(control.getInetAddress(), port + 1 + slot);
        ByteBuffer nodeInfo = call(NODE_INFO, new byte[64]).order(ByteOrder.BIG_ENDIAN);
        ByteBuffer portInfo = call(PORT_INFO, new byte[64]).order(ByteOrder.BIG_ENDIAN);
        data.send(new DatagramPacket(request(nodeInfo, portInfo), DATA_BYTES));
        DatagramPacket received = new DatagramPacket(new byte[DATA_BYTES], DATA_BYTES);
        data.receive(received);
        ByteBuffer answer = ByteBuffer.wrap(received.getData());
        assertEquals(0, answer.getInt(16), "time-out of the join of " + node);
        assertEquals(0, answer.getShort(32 + 4), "status of the join of " + node);
        call(DISCONNECT, new byte[0]);
        return answer.getShort(32 + 56 + 36) & 0xffff;
    }

    /** SubnAdmSet(MCMemberRecord) with MGID, PortGID and JoinState. */
    private static byte[] request(ByteBuffer nodeInfo, ByteBuffer portInfo) {
        ByteBuffer message = ByteBuffer.allocate(DATA_BYTES);
        message.putShort(0, portInfo.getShort(18)).putInt(8, 1).putInt(12, 1).putLong(24, 256);
        ByteBuffer mad = message.slice(32, 256);
        mad.putInt(0, 0x0103_0202).putLong(8, 0x4a4f_494e).putShort(16, (short) 0x38);
        mad.putLong(48, 0x1_0003);
        mad.put(56, GROUP);
        mad.putLong(72, portInfo.getLong(8)).putLong(80, nodeInfo.getLong(12) + portInfo.get(28));
        mad.put(56 + 48, (byte) 1);
        return message.array();
    }

    /** Data of the answer. */
    private ByteBuffer call(int type, byte[] content) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(CONTROL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(MAGIC).putInt(slot).putInt(type).putInt(content.length).put(content);
        control.send(new DatagramPacket(message.array(), CONTROL_BYTES));
        control.receive(new DatagramPacket(message.array(), CONTROL_BYTES));
        assertEquals(type, message.getInt(8), "type of the answer");
        return message.slice(16, 64);
    }
}
