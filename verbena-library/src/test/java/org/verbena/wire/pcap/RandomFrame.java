package org.verbena.wire.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.time.Seed;
import org.verbena.wire.BigEndian;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;

/** A well-formed frame with a packet of a given opcode and everything else by chance. */
final class RandomFrame {
    private static final Icrc ICRC = new Icrc();

    private RandomFrame() {}

    static MemorySegment of(Opcode opcode, boolean ipv6, Seed seed) {
        int payload = opcode == Opcode.RC_ATOMIC_WRITE ? 8 : opcode.hasPayload() ? seed.nextInt(600) : 0;
        int padCount = -payload & 3;
        int packetLength = opcode.headerLength() + payload + padCount + Icrc.LENGTH;
        RoceFrame headers = ipv6 ? onIpv6(packetLength, seed) : onIpv4(packetLength, seed);
        ByteBuffer bytes = ByteBuffer.allocateDirect(headers.length());
        MemorySegment frame = MemorySegment.ofBuffer(bytes);
        for (int at = 0; at < headers.length(); at++) {
            BigEndian.writeByte(frame, at, seed.nextInt());
        }
        headers.write(frame);
        writePacketHeaders(frame, headers.packetAt(), opcode, padCount, seed);
        Icrc.write(frame, headers.length() - Icrc.LENGTH, headers.icrc(ICRC, bytes));
        return frame;
    }

    private static void writePacketHeaders(MemorySegment frame, int at, Opcode opcode, int padCount, Seed seed) {
        new Bth(
                        opcode.code(),
                        seed.nextBoolean(),
                        seed.nextBoolean(),
                        padCount,
                        0,
                        seed.nextInt(65536),
                        seed.nextBoolean(),
                        seed.nextBoolean(),
                        2 + seed.nextInt((1 << 24) - 2),
                        seed.nextBoolean(),
                        seed.nextInt(1 << 24))
                .write(frame, at);
        for (Extension extension : opcode.extensions()) {
            long where = (long) at + opcode.offsetOf(extension);
            switch (extension) {
                case RDETH, XRCETH -> BigEndian.writeByte(frame, where, 0);
                case DETH -> BigEndian.writeByte(frame, where + 4, 0);
                case AETH -> BigEndian.writeByte(frame, where, seed.nextInt(32));
                default -> {} // any bytes are good
            }
        }
    }

    private static RoceFrame onIpv4(int packetLength, Seed seed) {
        int length = Udp.LENGTH + packetLength;
        Ipv4 ip = new Ipv4(
                seed.nextInt(256),
                Ipv4.LENGTH + length,
                seed.nextInt(65536),
                Ipv4.DO_NOT_FRAGMENT,
                64,
                Udp.PROTOCOL,
                0x0a000001,
                0x0a000002);
        Ethernet ethernet = new Ethernet(2, 1, Ethernet.IPV4);
        int packetAt = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;
        return new RoceFrame(ethernet, ip, null, udp(length, seed), packetAt, packetLength);
    }

    private static RoceFrame onIpv6(int packetLength, Seed seed) {
        int length = Udp.LENGTH + packetLength;
        long subnet = 0xfd00_0000_0000_0000L;
        Ipv6 ip = new Ipv6(seed.nextInt(256), seed.nextInt(1 << 20), length, Udp.PROTOCOL, 64, subnet, 1, subnet, 2);
        Ethernet ethernet = new Ethernet(2, 1, Ethernet.IPV6);
        int packetAt = Ethernet.LENGTH + Ipv6.LENGTH + Udp.LENGTH;
        return new RoceFrame(ethernet, null, ip, udp(length, seed), packetAt, packetLength);
    }

    private static Udp udp(int length, Seed seed) {
        return new Udp(0xc000 + seed.nextInt(0x4000), Udp.ROCE, length, 0);
    }
}
