package org.verbena.wire.ip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class IpHeaderTest {
    private static final int AT = 5;

    private final MemorySegment segment = MemorySegment.ofArray(new byte[128]);
    private final Seed seed = new Seed(4);

    private void expectBytes(String hex) {
        byte[] expected = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertArrayEquals(expected, segment.asSlice(AT, expected.length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void ethernetHeaderHasItsFieldsInPlace() {
        Ethernet ethernet = new Ethernet(0x52540000000bL, 0xfe540000000cL, Ethernet.IPV4);
        ethernet.write(segment, AT);
        expectBytes("52540000000b fe540000000c 0800");
        assertEquals(ethernet, Ethernet.read(segment, AT));
    }

    @Test
    void ipv4HeaderHasItsFieldsInPlaceAndItsChecksum() {
        // The example everyone uses for this checksum: 192.168.0.1 to 192.168.0.199.
        Ipv4 ip = new Ipv4(0, 0x73, 0, Ipv4.DO_NOT_FRAGMENT, 64, Udp.PROTOCOL, 0xc0a80001, 0xc0a800c7);
        ip.write(segment, AT);
        expectBytes("4500 0073 0000 4000 4011 b861 c0a80001 c0a800c7");
        assertEquals(4, Ipv4.version(segment, AT));
        assertEquals(20, Ipv4.headerLength(segment, AT));
    }

    @Test
    void ipv4HeaderIsReadAsWrittenAndDamageShows() {
        for (int i = 0; i < 1000; i++) {
            Ipv4 ip = new Ipv4(
                    seed.nextInt(256),
                    seed.nextInt(65536),
                    seed.nextInt(65536),
                    seed.nextInt(65536),
                    seed.nextInt(256),
                    seed.nextInt(256),
                    seed.nextInt(),
                    seed.nextInt());
            ip.write(segment, AT);
            assertEquals(ip, Ipv4.read(segment, AT));
            assertTrue(Ipv4.isIntact(segment, AT));
            int bit = 8 + seed.nextInt(152);
            long at = AT + (long) bit / 8;
            segment.set(ValueLayout.JAVA_BYTE, at, (byte) (segment.get(ValueLayout.JAVA_BYTE, at) ^ (1 << (bit % 8))));
            assertFalse(Ipv4.isIntact(segment, AT));
        }
    }

    @Test
    void ipv6HeaderIsReadAsWritten() {
        new Ipv6(0xab, 0xcdef1, 24, Udp.PROTOCOL, 64, 1, 2, 3, 4).write(segment, AT);
        expectBytes("6abcdef1 0018 11 40 0000000000000001 0000000000000002 0000000000000003 0000000000000004");
        assertEquals(6, Ipv6.version(segment, AT));
        for (int i = 0; i < 1000; i++) {
            Ipv6 ip = new Ipv6(
                    seed.nextInt(256),
                    seed.nextInt(1 << 20),
                    seed.nextInt(65536),
                    seed.nextInt(256),
                    seed.nextInt(256),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong(),
                    seed.nextLong());
            ip.write(segment, AT);
            assertEquals(ip, Ipv6.read(segment, AT));
        }
    }

    @Test
    void udpHeaderHasItsFieldsInPlace() {
        Udp udp = new Udp(0xc001, Udp.ROCE, 0x1234, 0xabcd);
        udp.write(segment, AT);
        expectBytes("c001 12b7 1234 abcd");
        assertEquals(udp, Udp.read(segment, AT));
    }

    @Test
    void udpChecksumIsThatOfPseudoHeaderAndDatagram() {
        for (int i = 0; i < 1000; i++) {
            int length = Udp.LENGTH + seed.nextInt(80);
            for (int k = 0; k < length; k++) {
                segment.set(ValueLayout.JAVA_BYTE, AT + k, (byte) seed.nextInt(256));
            }
            new Udp(seed.nextInt(65536), seed.nextInt(65536), length, 0).write(segment, AT);
            Ipv4 ip = new Ipv4(0, 20 + length, 0, 0, 64, Udp.PROTOCOL, seed.nextInt(), seed.nextInt());
            Udp.writeChecksum(segment, AT, ip);
            long pseudo = InternetChecksum.add(0, (long) ip.source() << 32 | (ip.target() & 0xffff_ffffL));
            assertEquals(0, InternetChecksum.finish(InternetChecksum.add(pseudo + 17 + length, segment, AT, length)));
            Ipv6 six = new Ipv6(0, 0, length, Udp.PROTOCOL, 64, 0, pseudo, seed.nextLong(), seed.nextLong());
            Udp.writeChecksum(segment, AT, six);
            long sum = InternetChecksum.add(InternetChecksum.add(pseudo, six.targetHigh()), six.targetLow());
            assertEquals(0, InternetChecksum.finish(InternetChecksum.add(sum + 17 + length, segment, AT, length)));
        }
    }

    @Test
    void checksumIsThatOfThePlainSumOfWords() {
        for (int i = 0; i < 2000; i++) {
            int length = seed.nextInt(100);
            byte[] bytes = new byte[length + 1];
            long sum = 0;
            for (int k = 0; k < length; k++) {
                bytes[k] = (byte) seed.nextInt(256);
                sum += (bytes[k] & 0xff) << ((k & 1) == 0 ? 8 : 0);
            }
            long plain = sum % 0xffff == 0 && sum != 0 ? 0xffff : sum % 0xffff;
            assertEquals(
                    ~plain & 0xffff,
                    InternetChecksum.finish(InternetChecksum.add(0, MemorySegment.ofArray(bytes), 0, length)));
        }
    }
}
