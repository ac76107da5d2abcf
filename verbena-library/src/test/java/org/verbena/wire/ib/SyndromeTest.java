package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Mtu;
import org.verbena.RnrTimer;

final class SyndromeTest {
    @Test
    void everyByteIsAtMostOneKind() {
        int acks = 0;
        int rnrs = 0;
        int naks = 0;
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            acks += Syndrome.isAck(syndrome) ? 1 : 0;
            rnrs += Syndrome.isRnrNak(syndrome) ? 1 : 0;
            naks += Syndrome.isNak(syndrome) ? 1 : 0;
            assertTrue(!Syndrome.describe(syndrome).isEmpty());
        }
        assertEquals(32, acks);
        assertEquals(32, rnrs);
        assertEquals(32, naks);
    }

    @ParameterizedTest
    @EnumSource
    void nakCodeSurvives(NakCode code) {
        int syndrome = Syndrome.nak(code);
        assertTrue(Syndrome.isNak(syndrome));
        assertSame(code, Syndrome.nakCode(syndrome));
        assertEquals("NAK " + code, Syndrome.describe(syndrome));
    }

    @ParameterizedTest
    @EnumSource
    void rnrTimerSurvives(RnrTimer timer) {
        int syndrome = Syndrome.rnr(timer);
        assertTrue(Syndrome.isRnrNak(syndrome));
        assertSame(timer, Syndrome.rnrTimer(syndrome));
        assertSame(timer, RnrTimer.atLeast(timer.microseconds()));
    }

    @Test
    void bytesAreThoseOfRealPeers() {
        assertEquals(0x1f, Syndrome.ack(CreditCode.NONE));
        assertEquals(0x60, Syndrome.nak(NakCode.PSN_SEQUENCE_ERROR));
        assertEquals(0x62, Syndrome.nak(NakCode.REMOTE_ACCESS_ERROR));
        assertEquals(0x63, Syndrome.nak(NakCode.REMOTE_OPERATIONAL_ERROR));
        assertEquals(0x3b, Syndrome.rnr(RnrTimer.US_122880));
        assertEquals("RNR NAK 122880 us", Syndrome.describe(0x3b));
    }

    @Test
    void reservedNakCodeIsNull() {
        assertTrue(Syndrome.isNak(0x65));
        assertNull(Syndrome.nakCode(0x65));
        assertEquals("reserved syndrome 0x65", Syndrome.describe(0x65));
        assertEquals("reserved syndrome 0x40", Syndrome.describe(0x40));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "11,2", "30,3", "31,4", "491520,31", "491521,0", "655360,0", "9999999,0"})
    void rnrTimerIsAtLeastTheTimeAskedFor(long microseconds, int code) {
        assertEquals(code, RnrTimer.atLeast(microseconds).code());
    }

    @ParameterizedTest
    @CsvSource({"0,0", "4,4", "5,6", "6,8", "7,12", "8,16", "9,24", "10,32", "29,24576", "30,32768", "31,2147483647"})
    void creditCodesAreThoseOfTheTable(int code, int credits) {
        assertEquals(credits, CreditCode.credits(code));
    }

    @Test
    void creditsAreRoundedDown() {
        int expected = 0;
        for (int credits = 0; credits < 70_000; credits++) {
            if (expected < 30 && CreditCode.credits(expected + 1) <= credits) {
                expected++;
            }
            assertEquals(expected, CreditCode.atMost(credits));
        }
        assertEquals(30, CreditCode.atMost(Integer.MAX_VALUE));
    }

    @Test
    void acknowledgementTimeoutDoublesWithEachCode() {
        assertEquals(Long.MAX_VALUE, AckTimeout.nanoseconds(AckTimeout.INFINITE));
        assertEquals(8192, AckTimeout.nanoseconds(1));
        assertEquals(67_108_864, AckTimeout.nanoseconds(14));
        assertEquals(8_796_093_022_208L, AckTimeout.nanoseconds(31));
        assertEquals(1, AckTimeout.atLeast(0));
        assertEquals(2, AckTimeout.atLeast(8193));
        assertEquals(31, AckTimeout.atLeast(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @EnumSource
    void mtuCountsPackets(Mtu mtu) {
        assertSame(mtu, Mtu.of(mtu.code()));
        assertSame(mtu, Mtu.atMost(mtu.bytes()));
        assertEquals(1, mtu.packets(0));
        assertEquals(1, mtu.packets(mtu.bytes()));
        assertEquals(2, mtu.packets(mtu.bytes() + 1));
        assertEquals((1L << 31) / mtu.bytes(), mtu.packets(1L << 31));
    }

    @Test
    void thereIsNoMtuOutsideTheTable() {
        assertNull(Mtu.of(0));
        assertNull(Mtu.of(6));
        assertNull(Mtu.atMost(255));
        assertSame(Mtu.MTU_1024, Mtu.atMost(1500 - 88));
    }
}
