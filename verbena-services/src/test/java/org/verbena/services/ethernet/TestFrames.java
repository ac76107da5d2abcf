package org.verbena.services.ethernet;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.verbena.link.frame.Offload;
import org.verbena.link.frame.OffloadKind;
import org.verbena.time.Seed;

/** Frames for tests, and a checksum that shares no code with the one under test. */
public final class TestFrames {
    public static final int TCP = 6;
    public static final int UDP = 17;

    private TestFrames() {}

    /** What a frame is made of. */
    public record Shape(boolean v6, int tags, int protocol, int optionBytes, int payloadBytes, int flags) {
        public int ethernetBytes() {
            return 14 + 4 * tags;
        }

        public int ipBytes() {
            return v6 ? 40 : 20;
        }

        public int transportBytes() {
            return protocol == TCP ? 20 + optionBytes : 8;
        }

        public int headersBytes() {
            return ethernetBytes() + ipBytes() + transportBytes();
        }
    }

    /** A frame behind an offload header. Its checksum is partial: that of the pseudo header. */
    public static byte[] partial(Seed seed, Shape shape, int gsoType, int gsoBytes) {
        int length = 10 + shape.headersBytes() + shape.payloadBytes();
        ByteBuffer frame = ByteBuffer.allocate(length);
        int start = shape.ethernetBytes() + shape.ipBytes();
        frame.order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 1)
                .put((byte) gsoType)
                .putShort((short) shape.headersBytes())
                .putShort((short) gsoBytes)
                .putShort((short) start)
                .putShort((short) (shape.protocol() == TCP ? 16 : 6))
                .order(ByteOrder.BIG_ENDIAN);
        frame.putShort((short) 0x0200).putInt(1).putShort((short) 0x0200).putInt(2);
        for (int i = 0; i < shape.tags(); i++) {
            frame.putShort((short) (shape.tags() == 2 && i == 0 ? 0x88a8 : 0x8100))
                    .putShort((short) (0x2000 + 100 + i));
        }
        frame.putShort((short) (shape.v6() ? 0x86dd : 0x0800));
        int transport = shape.transportBytes() + shape.payloadBytes();
        putIp(seed, frame, shape, transport);
        if (shape.protocol() == TCP) {
            frame.putShort((short) 5001)
                    .putShort((short) 80)
                    .putInt(0xffff_f000)
                    .putInt(77)
                    .put((byte) ((shape.transportBytes() / 4) << 4))
                    .put((byte) shape.flags())
                    .putShort((short) 512)
                    .putShort((short) 0)
                    .putShort((short) 0)
                    .put(new byte[shape.optionBytes()]);
        } else {
            frame.putShort((short) 5001)
                    .putShort((short) 53)
                    .putShort((short) transport)
                    .putShort((short) 0);
        }
        while (frame.hasRemaining()) {
            frame.put((byte) seed.nextInt());
        }
        byte[] bytes = frame.array();
        int field = 10 + start + (shape.protocol() == TCP ? 16 : 6);
        int pseudo = onesComplement(pseudoHeader(bytes, 10, shape, transport));
        bytes[field] = (byte) (pseudo >> 8);
        bytes[field + 1] = (byte) pseudo;
        return bytes;
    }

    private static void putIp(Seed seed, ByteBuffer frame, Shape shape, int transport) {
        if (shape.v6()) {
            frame.putInt(0x6000_0000)
                    .putShort((short) transport)
                    .put((byte) shape.protocol())
                    .put((byte) 64);
            frame.putLong(0xfd00_0000_0000_0000L).putLong(seed.nextLong());
            frame.putLong(0xfd00_0000_0000_0000L).putLong(seed.nextLong());
            return;
        }
        int at = frame.position();
        frame.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) (20 + transport))
                .putShort((short) 0xfffe)
                .putShort((short) 0x4000)
                .put((byte) 64)
                .put((byte) shape.protocol())
                .putShort((short) 0)
                .putInt(0x0a00_0000 | (seed.nextInt() & 0xffff))
                .putInt(0x0a00_0000 | (seed.nextInt() & 0xffff));
        byte[] header = new byte[20];
        frame.get(at, header);
        frame.putShort(at + 10, (short) ~onesComplement(header));
    }

    /** The pseudo header of a frame that begins at an offset. */
    private static byte[] pseudoHeader(byte[] bytes, int offset, Shape shape, int transport) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int ip = offset + shape.ethernetBytes();
        out.write(bytes, ip + (shape.v6() ? 8 : 12), shape.v6() ? 32 : 8);
        out.writeBytes(ByteBuffer.allocate(8)
                .putInt(transport)
                .putInt(shape.protocol())
                .array());
        return out.toByteArray();
    }

    /** Byte by byte, with the carry added each time. */
    static int onesComplement(byte[] bytes) {
        int sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum += (i & 1) == 0 ? (bytes[i] & 0xff) << 8 : bytes[i] & 0xff;
            if (sum > 0xffff) {
                sum -= 0xffff;
            }
        }
        return sum;
    }

    /** Whether the checksum of a frame's transport is right. */
    public static boolean isTransportRight(byte[] frame, Shape shape) {
        int start = shape.ethernetBytes() + shape.ipBytes();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(pseudoHeader(frame, 0, shape, frame.length - start));
        all.write(frame, start, frame.length - start);
        return onesComplement(all.toByteArray()) == 0xffff;
    }

    /** Whether the checksum of a frame's IPv4 header is right; true for IPv6. */
    public static boolean isIpRight(byte[] frame, Shape shape) {
        byte[] header = new byte[20];
        System.arraycopy(frame, shape.ethernetBytes(), header, 0, 20);
        return shape.v6() || onesComplement(header) == 0xffff;
    }

    /** Everything that an offload makes of a frame. */
    static OffloadKind run(byte[] withHeader, List<byte[]> frames) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(withHeader.length + 7);
            MemorySegment.copy(withHeader, 0, from, ValueLayout.JAVA_BYTE, 7, withHeader.length);
            MemorySegment into = arena.allocate(70_000);
            Offload offload = new Offload();
            OffloadKind kind = offload.begin(from, 7, withHeader.length);
            for (int bytes = offload.next(into, 3); bytes != 0; bytes = offload.next(into, 3)) {
                frames.add(into.asSlice(3, bytes).toArray(ValueLayout.JAVA_BYTE));
            }
            return kind;
        }
    }
}
