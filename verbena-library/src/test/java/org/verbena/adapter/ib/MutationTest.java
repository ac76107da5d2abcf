package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.Region;
import org.verbena.time.Seed;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;

/**
 * Valid packets with some bytes changed and the CRC made right again, into a live engine with work of all kinds
 * outstanding: nothing is thrown, nothing changes outside of what was granted, and another queue pair works on.
 */
final class MutationTest {
    private static final int PACKETS = 20_000;
    private static final int GRANTED = 8192;
    private static final int LANDING = 16_384;

    /** The memory between the granted ranges and around them. */
    private static void forbiddenIsUntouched(Exchange wire, String what) {
        assertTrue(isZero(wire.memory.asSlice(2 * GRANTED, LANDING - 2 * GRANTED)), what);
        assertTrue(isZero(wire.memory.asSlice(2 * LANDING)), what);
    }

    private static boolean isZero(MemorySegment memory) {
        return memory.mismatch(ZERO.asSlice(0, memory.byteSize())) == -1;
    }

    private static final MemorySegment ZERO = Arena.ofAuto().allocate(Exchange.MEMORY);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyChangedPacketIsHarmless(long seed) {
        var random = new Seed(seed);
        try (var wire = new Exchange()) {
            wire.region.close();
            Region granted = wire.adapter.register(
                    wire.domain, wire.memory.asSlice(GRANTED, GRANTED), EnumSet.allOf(Right.class));
            Region landing = wire.adapter.register(
                    wire.domain, wire.memory.asSlice(LANDING, LANDING), EnumSet.of(Right.LOCAL_WRITE));
            var other = new Bystander(wire);
            for (int i = 0; i < PACKETS; i++) {
                String what = "seed " + seed + ", packet " + i;
                prepare(wire, landing, random);
                WirePacket packet = valid(granted, random);
                send(wire, packet, random);
                wire.run();
                if (i % 50 == 0) {
                    other.works(i);
                    forbiddenIsUntouched(wire, what);
                }
                wire.completions();
                wire.arrived();
                wire.events();
            }
            forbiddenIsUntouched(wire, "seed " + seed);
        }
    }

    /** Work of every kind outstanding, in a queue pair that is connected again when a packet has put it in error. */
    private static void prepare(Exchange wire, Region landing, Seed random) {
        QueuePair queuePair = wire.queuePair;
        if (queuePair.state() != QueuePairState.READY_TO_SEND || random.chance(0.02)) {
            queuePair.reset();
            queuePair.connect(wire.peerAddress(), Exchange.USUAL);
        }
        var segment = new LocalSegment(landing.address() + random.nextInt(4000), random.nextInt(1500), landing.key());
        queuePair.post(new WorkRequest.Receive(1, segment));
        switch (random.nextInt(6)) {
            case 0 -> queuePair.post(new WorkRequest.Send(2, segment));
            case 1 -> queuePair.post(new WorkRequest.Read(3, segment, Exchange.remote(0)));
            case 2 ->
                queuePair.post(new WorkRequest.FetchAdd(
                        4,
                        new LocalSegment(landing.address(), 8, landing.key()),
                        Exchange.remote(0),
                        1,
                        SendOptions.SIGNALLED));
            default -> {}
        }
        wire.run();
    }

    private static WirePacket valid(Region granted, Seed random) {
        int psn = random.nextInt(6);
        byte[] data = Exchange.pattern(random.nextInt(257), 0x55);
        Reth reth = new Reth(granted.address() + random.nextInt(4096), granted.key(), data.length);
        List<WirePacket> all = new ArrayList<>(List.of(
                WirePacket.sendOnly(psn, data),
                WirePacket.send(Opcode.RC_SEND_FIRST, psn, Exchange.pattern(256, 1)),
                WirePacket.send(Opcode.RC_SEND_MIDDLE, psn, Exchange.pattern(256, 1)),
                WirePacket.send(Opcode.RC_SEND_LAST, psn, data),
                WirePacket.send(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, psn, data).with(granted.key()),
                WirePacket.writeOnly(psn, reth, data),
                WirePacket.writeFirst(psn, new Reth(reth.address(), reth.key(), 600), Exchange.pattern(256, 1)),
                WirePacket.send(Opcode.RC_RDMA_WRITE_MIDDLE, psn, Exchange.pattern(256, 1)),
                WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, psn, Exchange.pattern(88, 1)),
                WirePacket.of(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, psn)
                        .to(reth)
                        .with(data)
                        .with(5),
                WirePacket.readRequest(psn, reth),
                WirePacket.fetchAdd(psn, granted.address() + 8L * random.nextInt(100), granted.key(), 1),
                WirePacket.ack(psn, 1),
                WirePacket.nak(psn, NakCode.PSN_SEQUENCE_ERROR, 1),
                WirePacket.rnrNak(psn, RnrTimer.of(1), 1),
                WirePacket.atomicAck(psn, 1, 0x5555),
                WirePacket.readResponseOnly(psn, 1, data),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, psn, 1, Exchange.pattern(256, 1)),
                WirePacket.readResponseMiddle(psn, Exchange.pattern(256, 1))));
        WirePacket chosen = all.get(random.nextInt(all.size()));
        return random.chance(0.5) ? chosen.asking() : chosen;
    }

    private static void send(Exchange wire, WirePacket packet, Seed random) {
        int first = packet.opcode().isRequest()
                ? Exchange.PEER_FIRST_PSN
                : wire.queuePair.address().firstPsn();
        int length = random.chance(0.1) ? 16 + random.nextInt(packet.length() - 15) : packet.length();
        MemorySegment whole = MemorySegment.ofArray(new byte[packet.length()]);
        packet.write(whole, 0, wire.queuePair.number(), Partitions.DEFAULT_KEY, Psn.add(first, packet.psn()));
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(Math.min(packet.length(), packet.opcode().headerLength() + 4));
            whole.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(256));
        }
        wire.peerSendsBytes(length, target -> MemorySegment.copy(whole, 0, target, 0, length), true);
    }

    /** Another queue pair of the same adapter, connected to itself, which must never notice. */
    private static final class Bystander {
        private final Exchange wire;
        private final QueuePair queuePair;
        private final CompletionQueue completions;
        private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
        private final Region region;

        Bystander(Exchange wire) {
            this.wire = wire;
            completions = wire.adapter.createCompletionQueue(16);
            var domain = wire.adapter.createProtectionDomain();
            queuePair = wire.adapter.createQueuePair(QueuePairOptions.of(domain, completions));
            region = wire.adapter.register(domain, memory, EnumSet.allOf(Right.class));
            queuePair.connect(queuePair.address(), Exchange.USUAL);
        }

        void works(int value) {
            memory.set(ValueLayout.JAVA_INT, 0, value);
            queuePair.post(new WorkRequest.Write(
                    value,
                    LocalSegment.of(region, 0, 1000),
                    RemoteMemory.of(region).plus(2000)));
            wire.run();
            Completion completion = completions.poll();
            assertEquals(value, completion == null ? -1 : completion.id());
            assertEquals(value, memory.get(ValueLayout.JAVA_INT, 2000));
        }
    }
}
