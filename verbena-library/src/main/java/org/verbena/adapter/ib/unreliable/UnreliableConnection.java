package org.verbena.adapter.ib.unreliable;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Status;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.PacketReceivers;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.message.CongestionNotifier;
import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.ib.message.UnreliableTransport;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;

/** The unreliable connection of a queue pair to its peer. */
public final class UnreliableConnection extends UnreliableTransport {
    private final Peer peer;
    private final Transmitter transmitter;
    private final MessageReceiver receiver;
    private final CongestionNotifier notifier;

    /** A connection whose peer's first packet has this sequence number. */
    public UnreliableConnection(
            Pair pair, EngineParts parts, Transmitter transmitter, PacketReceivers receivers, Peer peer, int firstPsn) {
        super(pair, parts, transmitter, receivers, RequestOpcodes.UNRELIABLE);
        this.peer = peer;
        this.transmitter = transmitter;
        this.notifier = new CongestionNotifier(transmitter, parts.counters());
        this.receiver = new MessageReceiver(this, parts, peer.mtu(), firstPsn);
    }

    @Override
    protected void endMessages() {
        receiver.stop();
    }

    @Override
    public void readyToSend(ReadyParameters parameters) {
        beginSending(peer.mtu(), ((SendParameters) parameters).firstPsn());
    }

    // --- for the demultiplexer

    @Override
    public TransportService service() {
        return TransportService.UC;
    }

    @Override
    public boolean comesFromPeer(Packet packet) {
        return peer.sent(packet);
    }

    @Override
    public boolean inPartition(int pkey) {
        return peer.sharesPartition(pkey);
    }

    @Override
    public void receive(long nowNs, Packet packet, Opcode opcode) {
        onPacket();
        // A consumer that was told of it may have ended the connection.
        if (takesPackets()) {
            receiver.receive(packet, opcode);
        }
    }

    @Override
    public void onMarked(long nowNs) {
        notifier.onMarked(nowNs, peer);
    }

    // --- for the send queue

    @Override
    public Status admit(MemorySegment slots, long slot, long length) {
        return Status.SUCCESS;
    }

    @Override
    public @Nullable Packet begin(Opcode opcode, int payload, int psn, boolean solicited) {
        return transmitter.begin(peer, opcode, payload, psn, false, solicited);
    }
}
