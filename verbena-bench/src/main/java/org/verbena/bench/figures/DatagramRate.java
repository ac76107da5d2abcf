package org.verbena.bench.figures;

import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.DatagramHeader;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;

/**
 * Unreliable datagrams over UDP loopback between two adapters, each driven by its consumer's thread: a program
 * that prints millions of messages a second, both directions counted.
 *
 * <p>Arguments: bytes of a message, datagrams on their way at once (1: there and back), seconds. The far end returns one
 * datagram for each {@code depth / 4} it has received (at least one), so that the near end knows the number of arrivals.
 */
final class DatagramRate {
    private static final int QKEY = 0x1111_1111;
    private static final int CAPACITY = 1024;
    /** Turns without progress after which the datagrams under way count as lost. */
    private static final long GIVE_UP_TURNS = 2_000_000;

    private final Adapter adapter;
    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final Completions completions = new Completions(256);
    private final ProtectionDomain domain;
    private final WorkRequest.Receive receive;
    private final int size;
    private int sendsUnderWay;

    private DatagramRate(int size) {
        this.size = size;
        adapter = Adapter.open(
                UdpNetwork.open(Endpoint.of("127.0.0.1", 0)),
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.INLINE));
        domain = adapter.createProtectionDomain();
        queue = adapter.createCompletionQueue(2 * CAPACITY);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, queue)
                .withService(Service.UD)
                .withInlineMax(256)
                .withCapacity(CAPACITY, CAPACITY));
        queuePair.activate(DatagramOptions.of(QKEY));
        Region region = adapter.register(
                domain, Arena.ofAuto().allocate(DatagramHeader.LENGTH + size, 64), EnumSet.allOf(Right.class));
        receive = new WorkRequest.Receive(2, LocalSegment.of(region, 0, DatagramHeader.LENGTH + (long) size));
        for (int i = 0; i < CAPACITY; i++) {
            require(queuePair.post(receive), "the receive queue is full");
        }
    }

    /** Prints one number. */
    public static void main(String... arguments) throws InterruptedException {
        int size = Integer.parseInt(arguments[0]);
        int depth = Integer.parseInt(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        var near = new DatagramRate(size);
        var far = new DatagramRate(size);
        AtomicLong messages = new AtomicLong();
        int every = Math.max(1, depth / 4);
        try (Adapter _ = near.adapter;
                Adapter _ = far.adapter) {
            Thread returning = Thread.ofPlatform().daemon().start(() -> far.returnOneIn(every, near));
            Thread sending = Thread.ofPlatform().daemon().start(() -> near.send(depth, every, far, messages));
            Thread.sleep(seconds * 1000); // until everything is compiled
            long before = messages.get();
            long begin = System.nanoTime();
            Thread.sleep(seconds * 1000);
            System.out.printf(Locale.ROOT, "%.4f%n", (messages.get() - before) * 1e3 / (System.nanoTime() - begin));
            sending.interrupt();
            sending.join();
            returning.interrupt();
            returning.join();
        }
    }

    private WorkRequest.SendDatagram to(DatagramRate peer, boolean signalled) {
        AddressHandle handle = adapter.createAddressHandle(domain, peer.adapter.endpoint());
        return new WorkRequest.SendDatagram(
                1,
                Payload.inline(new byte[size]),
                handle,
                peer.queuePair.number(),
                QKEY,
                signalled ? SendOptions.SIGNALLED : SendOptions.UNSIGNALLED);
    }

    private void send(int depth, int every, DatagramRate peer, AtomicLong messages) {
        WorkRequest.SendDatagram quiet = to(peer, false);
        WorkRequest.SendDatagram told = to(peer, true);
        long sent = 0;
        long arrived = 0;
        long idle = 0;
        while (!Thread.currentThread().isInterrupted()) {
            while (sent - arrived < depth && sendsUnderWay < CAPACITY / every) {
                boolean last = (sent + 1) % every == 0;
                require(queuePair.post(last ? told : quiet), "the send queue is full");
                sendsUnderWay += last ? 1 : 0;
                sent++;
            }
            int returned = poll();
            arrived += (long) returned * every;
            messages.lazySet(messages.getPlain() + (long) returned * (every + 1));
            idle = returned > 0 ? 0 : idle + 1;
            if (idle > GIVE_UP_TURNS) {
                arrived = sent;
                idle = 0;
            }
        }
    }

    private void returnOneIn(int every, DatagramRate peer) {
        WorkRequest.SendDatagram answer = to(peer, true);
        long owed = 0;
        while (!Thread.currentThread().isInterrupted()) {
            owed += poll();
            for (; owed >= every && sendsUnderWay < CAPACITY; owed -= every) {
                require(queuePair.post(answer), "the send queue is full");
                sendsUnderWay++;
            }
        }
    }

    /** Polls the completions and returns the number of datagrams received. */
    private int poll() {
        int received = 0;
        int count = queue.poll(completions);
        for (int i = 0; i < count; i++) {
            require(completions.status(i).success(), completions.status(i).text());
            if (completions.operation(i) == Operation.RECEIVE) {
                received++;
                require(queuePair.post(receive), "the receive queue is full");
            } else {
                sendsUnderWay--;
            }
        }
        return received;
    }

    private static void require(boolean fine, String otherwise) {
        if (!fine) {
            throw new IllegalStateException(otherwise);
        }
    }
}
