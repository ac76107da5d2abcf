package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.link.ibsim.IbsimSockets;

/** Sends data messages to clients. A client that turns out to be gone is remembered until the server looks for it. */
final class Postbox {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final MemorySegment message = MemorySegment.ofBuffer(bytes);
    private final IbsimSockets sockets;
    private final Tally tally;

    Postbox(IbsimSockets sockets, Tally tally) {
        this.sockets = sockets;
        this.tally = tally;
    }

    Tally tally() {
        return tally;
    }

    /** Gives a datagram to a client. */
    void deliver(
            Client client, MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair) {
        DataMessage.write(message, mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair, 0);
        tally.delivered++;
        send(client);
    }

    /** Gives a lost datagram back to the client that sent it. */
    void bounce(Client client, MemorySegment mad, int targetLid, int sourceQueuePair, int targetQueuePair) {
        int sourceLid = targetLid == MadWords.PERMISSIVE_LID ? targetLid : client.lid();
        DataMessage.write(message, mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair, DataMessage.TIMED_OUT);
        tally.bounced++;
        send(client);
    }

    private void send(Client client) {
        if (!sockets.send(client.slot(), bytes)) {
            client.onGone();
        }
    }
}
