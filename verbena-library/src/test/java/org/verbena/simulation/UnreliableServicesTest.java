package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
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
 * Unreliable services over a network that drops, doubles, swaps and damages packets: what arrives is a message that was
 * sent, whole, with its own number in every word; what does not arrive harms nothing. A seed repeats a run.
 */
final class UnreliableServicesTest {
    private static final int MESSAGES = 3000;
    private static final int SLOT = 4096;
    private static final int RECEIVES = 16;
    private static final Mtu MTU = Mtu.MTU_512;

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork();

    /** An adapter with one queue pair and memory. */
    private final class End {
        final Adapter adapter;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final QueuePair queuePair;
        final MemorySegment memory = Arena.ofAuto().allocate((long) RECEIVES * SLOT, 4096);
        final Region region;

        End(Service service, long seed, LinkFaults inbound) {
            adapter = Adapter.open(
                    new LossyLink(network.open(), new Seed(seed), LinkFaults.NONE, inbound),
                    clock,
                    AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(seed));
            domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(256);
            queuePair = adapter.createQueuePair(
                    QueuePairOptions.of(domain, completions).withService(service));
            region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_WRITE));
        }
    }

    private static LinkFaults faults(String kind) {
        return kind.equals("loss") ? LinkFaults.loss(0.05) : LinkFaults.all(0.02);
    }

    @ParameterizedTest
    @CsvSource({"1, loss", "2, loss", "3, all", "4, all", "5, all"})
    void messagesOfAnUnreliableConnectionArriveWholeOrNotAtAll(long seed, String kind) {
        End from = new End(Service.UC, seed, LinkFaults.NONE);
        End to = new End(Service.UC, seed + 100, faults(kind));
        ConnectionOptions how = ConnectionOptions.DEFAULT.withMtu(MTU);
        from.queuePair.connect(to.queuePair.address(), how);
        to.queuePair.connect(from.queuePair.address(), how);
        Seed lengths = new Seed(seed);
        int arrived = exchange(from, to, 0, number -> {
            int length = 4 + 4 * lengths.nextInt(SLOT / 4 - 1);
            write(from.memory, number, length);
            return new WorkRequest.Send(number, LocalSegment.of(from.region, 0, length));
        });
        assertTrue(arrived > MESSAGES / 2 && arrived < MESSAGES, () -> arrived + " of " + MESSAGES + " arrived");
        assertTrue(to.adapter.counters().value(Counter.DROPPED_INCOMPLETE_MESSAGES) > 0);
    }

    @ParameterizedTest
    @CsvSource({"1, loss", "2, all", "3, all"})
    void datagramsArriveWholeOrNotAtAll(long seed, String kind) {
        End from = new End(Service.UD, seed, LinkFaults.NONE);
        End to = new End(Service.UD, seed + 100, faults(kind));
        from.queuePair.activate(DatagramOptions.of(9));
        to.queuePair.activate(DatagramOptions.of(9));
        AddressHandle handle = from.adapter.createAddressHandle(from.domain, to.adapter.endpoint());
        Seed lengths = new Seed(seed);
        int arrived = exchange(from, to, DatagramHeader.LENGTH, number -> {
            int length = 4 + 4 * lengths.nextInt(900);
            write(from.memory, number, length);
            return new WorkRequest.SendDatagram(
                    number,
                    Payload.of(LocalSegment.of(from.region, 0, length)),
                    handle,
                    to.queuePair.number(),
                    9,
                    SendOptions.SIGNALLED);
        });
        assertTrue(arrived > MESSAGES * 8 / 10 && arrived < MESSAGES * 12 / 10, () -> arrived + " arrived");
    }

    /** Makes the request for a message with this number. */
    @FunctionalInterface
    private interface Source {
        WorkRequest.Sending request(int number);
    }

    private int exchange(End from, End to, int header, Source source) {
        for (int slot = 0; slot < RECEIVES; slot++) {
            receive(to, slot);
        }
        int arrived = 0;
        for (int number = 1; number <= MESSAGES; number++) {
            assertTrue(from.queuePair.post(source.request(number)));
            run(from, to);
            Completion sent = from.completions.poll();
            assertNotNull(sent);
            assertEquals(Status.SUCCESS, sent.status());
            for (Completion c = to.completions.poll(); c != null; c = to.completions.poll()) {
                check(to.memory, c, header, number);
                receive(to, (int) c.id());
                arrived++;
            }
        }
        from.adapter.close();
        to.adapter.close();
        return arrived;
    }

    private void run(End from, End to) {
        for (int idle = 0; idle < 3; ) {
            clock.advance(1000);
            int done = from.adapter.work(clock.nowNs()) + to.adapter.work(clock.nowNs());
            idle = done == 0 ? idle + 1 : 0;
        }
    }

    private static void receive(End to, int slot) {
        assertTrue(
                to.queuePair.post(new WorkRequest.Receive(slot, LocalSegment.of(to.region, (long) slot * SLOT, SLOT))));
    }

    /** Every word says which message it is of, and how long that is. */
    private static void write(MemorySegment memory, int number, int length) {
        for (int at = 0; at < length; at += 4) {
            memory.set(ValueLayout.JAVA_INT, at, number << 12 | length - at);
        }
    }

    private static void check(MemorySegment memory, Completion completion, int header, int newest) {
        assertEquals(Status.SUCCESS, completion.status());
        long start = completion.id() * SLOT + header;
        int length = (int) completion.byteLength() - header;
        int number = memory.get(ValueLayout.JAVA_INT, start) >>> 12;
        assertTrue(number >= 1 && number <= newest, () -> "message " + number);
        for (int at = 0; at < length; at += 4) {
            assertEquals(number << 12 | length - at, memory.get(ValueLayout.JAVA_INT, start + at), "word " + at / 4);
        }
    }
}
