package org.verbena.fuzz;

import java.util.List;
import org.verbena.QueuePairState;
import org.verbena.link.Endpoint;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.TransportService;

/** The victim's queue pairs of unreliable services, which stand under attack like the reliable one. */
final class Outworks {
    static final int QKEY = 0x1357_9bdf;
    private static final int FIRST_PSN = 0xff_fff8;

    private final Estate estate;
    private final Forger forger;
    private final CompletionQueue completions;
    private final QueuePair connection;
    private final QueuePair datagrams;
    private final AddressHandle toPeer;
    private final Endpoint peer;

    Outworks(Adapter victim, ProtectionDomain domain, Endpoint peer, Estate estate, Forger forger) {
        this.estate = estate;
        this.forger = forger;
        this.peer = peer;
        completions = victim.createCompletionQueue(16);
        QueuePairOptions options =
                QueuePairOptions.of(domain, completions).withCapacity(8, 8).withSegmentsMax(2);
        connection = victim.createQueuePair(options.withService(Service.UC));
        datagrams = victim.createQueuePair(options.withService(Service.UD));
        toPeer = victim.createAddressHandle(domain, peer);
        connect();
        datagrams.activate(DatagramOptions.of(QKEY));
        forger.unreliableFrom(FIRST_PSN);
    }

    private void connect() {
        connection.connect(new QueuePairAddress(peer, 0x4242, FIRST_PSN), ConnectionOptions.DEFAULT.withMtu(Siege.MTU));
    }

    /** One thing that an attacker, or the consumer of one of them, does. */
    void command(Script script, int which) {
        switch (which & 0xf) {
            case 0, 1, 2, 3, 4 -> forger.sendUnreliable(script, connection.number(), TransportService.UC);
            case 5, 6, 7, 8 -> forger.sendUnreliable(script, datagrams.number(), TransportService.UD);
            case 9, 10 -> receive(connection, script);
            case 11 -> receive(datagrams, script);
            case 12 -> send(script);
            case 13 -> drain();
            case 14 -> revive(connection, this::connect);
            default -> revive(datagrams, () -> datagrams.activate(DatagramOptions.of(QKEY)));
        }
    }

    private LocalSegment local(Script script) {
        int choice = script.unsignedByte();
        int key = choice < 250 ? estate.local.key() : estate.key(script);
        return new LocalSegment(estate.local.address() + choice * 8L, (choice % 8) * 200L, key);
    }

    private void receive(QueuePair queuePair, Script script) {
        if (queuePair.state().takesReceives()) {
            queuePair.post(new WorkRequest.Receive(1, List.of(local(script), local(script))));
        }
    }

    private void send(Script script) {
        Payload data = Payload.of(local(script));
        if (connection.state().takesSends()) {
            connection.post(new WorkRequest.Write(2, data, new RemoteMemory(64, 64), SendOptions.SIGNALLED));
        }
        if (datagrams.state().takesSends()) {
            datagrams.post(
                    new WorkRequest.SendDatagram(3, data, toPeer, script.unsignedShort(), QKEY, SendOptions.SIGNALLED));
        }
    }

    private void drain() {
        while (completions.poll() != null) {
            // What became of them does not matter.
        }
    }

    private void revive(QueuePair queuePair, Runnable again) {
        if (queuePair.state() == QueuePairState.SEND_QUEUE_ERROR) {
            queuePair.resume();
        } else if (queuePair.state() == QueuePairState.ERROR) {
            drain();
            queuePair.reset();
            again.run();
            forger.unreliableFrom(FIRST_PSN);
        }
    }
}
