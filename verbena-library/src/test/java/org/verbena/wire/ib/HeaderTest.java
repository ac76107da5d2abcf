package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** Every header record: what is written is read again, and the bytes are where the specification has them. */
final class HeaderTest {
    private static final int AT = 3;

    private final MemorySegment segment = MemorySegment.ofArray(new byte[80]);
    private final Seed seed = new Seed(12);

    private static Bth randomBth(Seed seed) {
        return new Bth(
                seed.nextInt(256),
                seed.nextBoolean(),
                seed.nextBoolean(),
                seed.nextInt(4),
                seed.nextInt(16),
                seed.nextInt(65536),
                seed.nextBoolean(),
                seed.nextBoolean(),
                seed.nextInt(1 << 24),
                seed.nextBoolean(),
                seed.nextInt(1 << 24));
    }

    private void expectBytes(String hex) {
        byte[] expected = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertArrayEquals(expected, segment.asSlice(AT, expected.length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void baseHeaderIsReadAsWritten() {
        for (int i = 0; i < 10_000; i++) {
            Bth bth = randomBth(seed);
            bth.write(segment, AT);
            assertEquals(bth, Bth.read(segment, AT));
            assertEquals(bth.opcode(), Bth.opcode(segment, AT));
            assertEquals(bth.solicited(), Bth.solicited(segment, AT));
            assertEquals(bth.migrated(), Bth.migrated(segment, AT));
            assertEquals(bth.padCount(), Bth.padCount(segment, AT));
            assertEquals(bth.version(), Bth.version(segment, AT));
            assertEquals(bth.pkey(), Bth.pkey(segment, AT));
            assertEquals(bth.fecn(), Bth.fecn(segment, AT));
            assertEquals(bth.becn(), Bth.becn(segment, AT));
            assertEquals(bth.destinationQueuePair(), Bth.destinationQueuePair(segment, AT));
            assertEquals(bth.ackRequest(), Bth.ackRequest(segment, AT));
            assertEquals(bth.psn(), Bth.psn(segment, AT));
        }
    }

    @Test
    void baseHeaderHasItsFieldsInPlace() {
        new Bth(0x0a, true, false, 3, 0, 0xffff, false, true, 0x123456, true, 0xabcdef).write(segment, AT);
        expectBytes("0a b0 ffff 40 123456 80 abcdef");
        new Bth(0x04, false, true, 0, 0, 0x8001, true, false, 1, false, 2).write(segment, AT);
        expectBytes("04 40 8001 80 000001 00 000002");
    }

    @Test
    void sequenceIsWrittenInPlace() {
        new Bth(0x0a, true, false, 3, 0, 0xffff, false, true, 0x123456, true, 0xabcdef).write(segment, AT);
        Bth.writeSequence(segment, AT, 0x1000001, false);
        expectBytes("0a b0 ffff 40 123456 00 000001");
    }

    @Test
    void extensionHeadersHaveTheirFieldsInPlace() {
        new Reth(0x0102030405060708L, 0x11121314, 0xfffffffe).write(segment, AT);
        expectBytes("0102030405060708 11121314 fffffffe");
        new Aeth(0x62, 0xabcdef).write(segment, AT);
        expectBytes("62 abcdef");
        new AtomicEth(1, 2, 3, -1).write(segment, AT);
        expectBytes("0000000000000001 00000002 0000000000000003 ffffffffffffffff");
        new AtomicAckEth(0x0102030405060708L).write(segment, AT);
        expectBytes("0102030405060708");
        new ImmDt(0x11223344).write(segment, AT);
        expectBytes("11223344");
        new Ieth(0x55667788).write(segment, AT);
        expectBytes("55667788");
        new Deth(0x80010000, 1).write(segment, AT);
        expectBytes("80010000 00 000001");
        new Rdeth(0xabcdef).write(segment, AT);
        expectBytes("00 abcdef");
        new Xrceth(0x123456).write(segment, AT);
        expectBytes("00 123456");
        new Feth(3, 1).write(segment, AT);
        expectBytes("00000013");
    }

    @Test
    void extensionHeadersAreReadAsWritten() {
        for (int i = 0; i < 1000; i++) {
            Reth reth = new Reth(seed.nextLong(), seed.nextInt(), seed.nextInt());
            reth.write(segment, AT);
            assertEquals(reth, Reth.read(segment, AT));
            Aeth aeth = new Aeth(seed.nextInt(256), seed.nextInt(1 << 24));
            aeth.write(segment, AT);
            assertEquals(aeth, Aeth.read(segment, AT));
            assertEquals(aeth.syndrome(), Aeth.syndrome(segment, AT));
            assertEquals(aeth.msn(), Aeth.msn(segment, AT));
            AtomicEth atomic = new AtomicEth(seed.nextLong(), seed.nextInt(), seed.nextLong(), seed.nextLong());
            atomic.write(segment, AT);
            assertEquals(atomic, AtomicEth.read(segment, AT));
            AtomicAckEth atomicAck = new AtomicAckEth(seed.nextLong());
            atomicAck.write(segment, AT);
            assertEquals(atomicAck, AtomicAckEth.read(segment, AT));
            ImmDt immDt = new ImmDt(seed.nextInt());
            immDt.write(segment, AT);
            assertEquals(immDt, ImmDt.read(segment, AT));
            Ieth ieth = new Ieth(seed.nextInt());
            ieth.write(segment, AT);
            assertEquals(ieth, Ieth.read(segment, AT));
            Deth deth = new Deth(seed.nextInt(), seed.nextInt(1 << 24));
            deth.write(segment, AT);
            assertEquals(deth, Deth.read(segment, AT));
            Rdeth rdeth = new Rdeth(seed.nextInt(1 << 24));
            rdeth.write(segment, AT);
            assertEquals(rdeth, Rdeth.read(segment, AT));
            Xrceth xrceth = new Xrceth(seed.nextInt(1 << 24));
            xrceth.write(segment, AT);
            assertEquals(xrceth, Xrceth.read(segment, AT));
            Feth feth = new Feth(seed.nextInt(16), seed.nextInt(4));
            feth.write(segment, AT);
            assertEquals(feth, Feth.read(segment, AT));
        }
    }

    @Test
    void localRouteHeaderHasItsFieldsInPlace() {
        new Lrh(7, 0, 1, Lrh.NEXT_BTH, 0x375c, 14, 0x17d2).write(segment, AT);
        expectBytes("70 12 375c 000e 17d2");
        for (int i = 0; i < 1000; i++) {
            Lrh lrh = new Lrh(
                    seed.nextInt(16),
                    seed.nextInt(16),
                    seed.nextInt(16),
                    seed.nextInt(4),
                    seed.nextInt(65536),
                    seed.nextInt(2048),
                    seed.nextInt(65536));
            lrh.write(segment, AT);
            assertEquals(lrh, Lrh.read(segment, AT));
        }
    }

    @Test
    void globalRouteHeaderHasItsFieldsInPlace() {
        new Grh(6, 0xab, 0xcdef1, 24, Grh.NEXT_BTH, 64, 1, 2, 3, 4).write(segment, AT);
        expectBytes("6abcdef1 0018 1b 40 0000000000000001 0000000000000002 0000000000000003 0000000000000004");
        for (int i = 0; i < 1000; i++) {
            Grh grh = new Grh(
                    seed.nextInt(16),
                    seed.nextInt(256),
                    seed.nextInt(1 << 20),
                    seed.nextInt(65536),
                    seed.nextInt(256),
                    seed.nextInt(256),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong());
            grh.write(segment, AT);
            assertEquals(grh, Grh.read(segment, AT));
        }
    }
}
