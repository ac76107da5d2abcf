package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.RnrTimer;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.CreditCode;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.PacketHeaders;
import org.verbena.wire.ib.Syndrome;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.InternetChecksum;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;
import org.verbena.wire.pcap.PcapFormatException;
import org.verbena.wire.pcap.PcapReader;

/** Any bytes into the wire readers: nothing is thrown but what is documented, and what is written reads back the same. */
final class WireFuzzTest {
    private static final int INPUT_MAX = 8192;

    private final Icrc icrc = new Icrc();

    @FuzzTest
    void packetHeadersReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < Bth.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment packet = MemorySegment.ofArray(input);
        Opcode opcode = Opcode.of(Bth.opcode(packet, 0));
        assertFieldsAgree(packet, Bth.read(packet, 0));
        if (opcode == null || opcode.payloadLength(input.length, Bth.padCount(packet, 0)) < 0) {
            return;
        }
        MemorySegment once = MemorySegment.ofArray(new byte[opcode.headerLength()]);
        MemorySegment twice = MemorySegment.ofArray(new byte[opcode.headerLength()]);
        PacketHeaders.copy(packet, once, 0);
        PacketHeaders.copy(once, twice, 0);
        assertEquals(-1, once.mismatch(twice), "written, read and written again");
        assertEquals(Bth.read(packet, 0), Bth.read(once, 0));
    }

    private static void assertFieldsAgree(MemorySegment packet, Bth bth) {
        assertEquals(bth.opcode(), Bth.opcode(packet, 0));
        assertEquals(bth.psn(), Bth.psn(packet, 0));
        assertEquals(bth.pkey(), Bth.pkey(packet, 0));
        assertEquals(bth.version(), Bth.version(packet, 0));
        assertEquals(bth.padCount(), Bth.padCount(packet, 0));
        assertEquals(bth.solicited(), Bth.solicited(packet, 0));
        assertEquals(bth.ackRequest(), Bth.ackRequest(packet, 0));
        assertEquals(bth.destinationQueuePair(), Bth.destinationQueuePair(packet, 0));
    }

    @FuzzTest
    void everySyndromeHasOneMeaning(byte[] input) {
        for (byte each : input) {
            int syndrome = each & 0xff;
            int meanings = (Syndrome.isAck(syndrome) ? 1 : 0)
                    + (Syndrome.isRnrNak(syndrome) ? 1 : 0)
                    + (Syndrome.isNak(syndrome) ? 1 : 0);
            assertTrue(meanings <= 1);
            assertTrue(Syndrome.describe(syndrome).length() > 2);
            if (Syndrome.isAck(syndrome)) {
                assertEquals(syndrome, Syndrome.ack(Syndrome.creditCode(syndrome)));
                assertTrue(CreditCode.credits(syndrome) >= 0);
            } else if (Syndrome.isRnrNak(syndrome)) {
                assertEquals(syndrome, Syndrome.rnr(Syndrome.rnrTimer(syndrome)));
            } else if (Syndrome.isNak(syndrome)) {
                NakCode code = Syndrome.nakCode(syndrome);
                assertTrue(code == null || syndrome == Syndrome.nak(code));
            }
            assertTrue(RnrTimer.of(syndrome).nanoseconds() > 0);
        }
    }

    @FuzzTest
    void routeHeadersReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < Lrh.LENGTH + Grh.LENGTH + Bth.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment packet = MemorySegment.ofArray(input);
        MemorySegment copy = MemorySegment.ofArray(new byte[Grh.LENGTH]);
        Lrh lrh = Lrh.read(packet, 0);
        lrh.write(copy, 0);
        assertEquals(lrh, Lrh.read(copy, 0));
        Grh grh = Grh.read(packet, Lrh.LENGTH);
        grh.write(copy, 0);
        assertEquals(grh, Grh.read(copy, 0));
        ByteBuffer direct = ByteBuffer.allocateDirect(input.length).put(input);
        assertEquals(
                icrc.computeLocal(direct, 0, input.length),
                icrc.computeLocal(direct.put(0, (byte) (input[0] ^ 0xf0)), 0, input.length),
                "the virtual lane is not covered");
    }

    @FuzzTest
    void framesReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < Ethernet.LENGTH + Ipv6.LENGTH + Udp.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment frame = MemorySegment.ofArray(input);
        ipv4ReadsBack(frame);
        MemorySegment copy = MemorySegment.ofArray(input.clone());
        RoceFrame roce = RoceFrame.read(frame);
        if (roce != null) {
            roce.write(copy);
            assertEquals(roce, RoceFrame.read(copy));
            identificationIsRecovered(roce, input);
        }
    }

    private static void ipv4ReadsBack(MemorySegment frame) {
        MemorySegment copy = MemorySegment.ofArray(new byte[Ipv4.LENGTH]);
        Ipv4 ip = Ipv4.read(frame, Ethernet.LENGTH);
        ip.write(copy, 0);
        assertEquals(ip, Ipv4.read(copy, 0));
        assertTrue(Ipv4.isIntact(copy, 0));
        int words = Ipv4.headerLength(frame, Ethernet.LENGTH);
        assertTrue(words >= 0 && words <= 60);
        assertEquals(0, InternetChecksum.finish(InternetChecksum.add(0, copy, 0, Ipv4.LENGTH)));
    }

    /** Whatever identification a packet was sealed with is found again from its CRC alone. */
    private void identificationIsRecovered(RoceFrame roce, byte[] input) {
        if (roce.ipv4() == null || roce.packetLength() < Bth.LENGTH + Icrc.LENGTH || roce.length() > input.length) {
            return;
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(input.length).put(input);
        int sealed = roce.icrc(icrc, direct);
        int blank = roce.icrc(icrc, direct, 0);
        assertEquals(
                roce.ipv4().identification(),
                icrc.recoverIdentification(sealed, blank, roce.packetLength() - Icrc.LENGTH));
    }

    @FuzzTest
    void capturesAreReadToTheEndOrRefusedWithAReason(byte[] input) {
        MemorySegment file = MemorySegment.ofArray(input);
        try {
            PcapReader reader = new PcapReader(file);
            assertTrue(reader.linkType() >= 0);
            while (reader.next()) {
                assertTrue(reader.frame().byteSize() <= input.length);
                assertTrue(reader.timestampNs() >= 0);
                reader.originalLength();
            }
        } catch (PcapFormatException refused) {
            assertTrue(refused.getMessage() != null && refused.getMessage().contains("expected"));
        }
    }
}
