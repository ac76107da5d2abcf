package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.ibsim.IbsimToolSockets;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.wire.mad.Mad;

/** A tool at the server of a {@link Rehearsal}: its datagrams go through sockets as those of OpenSM do. */
final class RehearsalTool implements MadPort {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final MemorySegment message = MemorySegment.ofBuffer(bytes);
    private final MemorySegment mad = message.asSlice(DataMessage.MAD, Mad.LENGTH);
    private final ByteBuffer leaving = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final MemorySegment request = MemorySegment.ofBuffer(leaving);
    private final IbsimToolSockets sockets;
    private final InetSocketAddress slot;
    private long sent;

    private RehearsalTool(IbsimToolSockets sockets, InetSocketAddress slot) {
        this.sockets = sockets;
        this.slot = slot;
    }

    /**
     * Connects as a subnet manager.
     *
     * @param sockets of the tool; closed with it
     * @param waitMs how long it waits for the server's reply
     * @return null if the server refuses, or does not reply
     */
    static @Nullable RehearsalTool connect(IbsimToolSockets sockets, String node, int waitMs) {
        ByteBuffer control = ByteBuffer.allocateDirect(ControlMessage.LENGTH);
        MemorySegment request = MemorySegment.ofBuffer(control);
        ControlMessage.begin(request, ControlMessage.CONNECT);
        ControlMessage.writeInt(request, ControlMessage.CONNECT_ID, sockets.dataPort());
        ControlMessage.writeInt(request, ControlMessage.CONNECT_IS_MANAGER, 1);
        ControlMessage.node(request, node);
        sockets.ask(control);
        for (int waited = 0; !sockets.takeReply(control); waited++) {
            if (waited == waitMs) {
                return null;
            }
            sockets.await(1);
        }
        if (ControlMessage.type(request) != ControlMessage.CONNECT) {
            return null;
        }
        int number = ControlMessage.readInt(request, ControlMessage.CONNECT_ID);
        return new RehearsalTool(sockets, sockets.slot(number));
    }

    /** Datagrams that were sent. */
    long sent() {
        return sent;
    }

    /** Gives the datagrams that have arrived to a receiver; waits for one for a millisecond if there is none. */
    void work(MadReceiver receiver, long nowNs) {
        boolean any = false;
        while (sockets.takeData(bytes)) {
            any = true;
            int targetLid = DataMessage.targetLid(message);
            if (DataMessage.status(message) == DataMessage.TIMED_OUT) {
                receiver.onLost(nowNs, mad, targetLid);
            } else {
                receiver.onMad(
                        nowNs,
                        mad,
                        DataMessage.sourceLid(message),
                        targetLid,
                        DataMessage.sourceQueuePair(message),
                        DataMessage.targetQueuePair(message));
            }
        }
        if (!any) {
            sockets.await(1);
        }
    }

    @Override
    public int lid() {
        return 0;
    }

    @Override
    public int managerLid() {
        return 0;
    }

    @Override
    public void send(MemorySegment datagram, int targetLid, int targetQueuePair, int sourceQueuePair) {
        int sourceLid = targetLid == MadWords.PERMISSIVE_LID ? targetLid : 0;
        DataMessage.write(request, datagram, sourceLid, targetLid, sourceQueuePair, targetQueuePair, 0);
        sockets.send(leaving, slot);
        sent++;
    }

    /** The tool has said so when it connected. */
    @Override
    public void isManager(boolean manager) {}

    @Override
    public void close() {
        sockets.close();
    }
}
