package org.verbena.adapter.iwarp.mpa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.SegmentReceiver;
import org.verbena.time.Seed;
import org.verbena.wire.iwarp.CapturedStream;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.MpaCrc;
import org.verbena.wire.iwarp.PlainFraming;
import org.verbena.wire.iwarp.TerminateCode;

/** Segments to bytes and back, however the stream cuts them, wherever markers fall. */
final class UnitStreamTest {
    private static final int CAPACITY = 2 * UnitFormat.UNIT_MAX;
    private static final int PACKET = 1448;
    private static final int ALL = Integer.MAX_VALUE;

    private final StreamBuffers buffers = new StreamBuffers(CAPACITY, 4);
    private final MpaCrc crc = new MpaCrc();
    private final Seed seed = new Seed(5044);

    static List<UnitFormat> formats() {
        return List.of(
                new UnitFormat(false, false),
                new UnitFormat(false, true),
                new UnitFormat(true, false),
                new UnitFormat(true, true));
    }

    /** Keeps the segments that arrive. */
    private static final class Collector implements SegmentReceiver {
        final List<byte[]> segments = new ArrayList<>();

        @Override
        public Intake onSegment(MemorySegment memory, long at, int length) {
            segments.add(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
            return Intake.TAKEN;
        }
    }

    private byte[] randomSegment(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) seed.nextInt(256);
        }
        return bytes;
    }

    private static void write(UnitWriter writer, byte[] segment) {
        assertTrue(writer.room() >= segment.length, "room " + writer.room());
        long at = writer.begin(segment.length);
        MemorySegment.copy(segment, 0, writer.memory(), ValueLayout.JAVA_BYTE, at, segment.length);
        writer.end();
    }

    private static byte[] drain(UnitWriter writer, int max) {
        ByteBuffer[] pieces = new ByteBuffer[UnitWriter.BUFFERS_MAX];
        int listed = writer.list(pieces);
        ByteBuffer bytes = ByteBuffer.allocate(Math.min(max, writer.pending()));
        for (int i = 0; i < listed; i++) {
            int count = Math.min(bytes.remaining(), pieces[i].remaining());
            bytes.put(pieces[i].slice(pieces[i].position(), count));
        }
        assertEquals(0, bytes.remaining(), "all bytes are listed");
        writer.onSent(bytes.capacity());
        return bytes.array();
    }

    private static byte[] plain(UnitFormat format, List<byte[]> segments) {
        PlainFraming framing = new PlainFraming(format.markers(), format.crc());
        segments.forEach(framing::add);
        return framing.bytes();
    }

    /** Puts bytes into the reader; as many as it takes. */
    private static int feed(UnitReader reader, byte[] bytes, int at, int length) {
        StreamBuffer buffer = reader.buffer();
        if (buffer == null) {
            return 0;
        }
        int count = Math.min(length, buffer.capacity() - reader.freeAt());
        MemorySegment.copy(bytes, at, buffer.memory(), ValueLayout.JAVA_BYTE, reader.freeAt(), count);
        reader.onReceived(count);
        return count;
    }

    private static void expectSegments(List<byte[]> expected, List<byte[]> found) {
        assertEquals(expected.size(), found.size());
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), found.get(i), "segment " + i);
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void bytesAreThoseOfThePlainFraming(UnitFormat format) {
        UnitWriter writer = new UnitWriter(buffers, format, PACKET, crc, () -> {});
        List<byte[]> segments = new ArrayList<>();
        byte[] stream = new byte[0];
        for (int i = 0; i < 2000; i++) {
            int max = writer.room();
            byte[] segment = randomSegment(seed.nextInt(4) == 0 ? max : seed.nextInt(max + 1));
            segments.add(segment);
            write(writer, segment);
            byte[] sent = drain(writer, seed.nextInt(3) == 0 ? ALL : seed.nextInt(PACKET));
            stream = join(stream, sent);
            while (writer.room() == 0) {
                stream = join(stream, drain(writer, 1 + seed.nextInt(PACKET)));
            }
        }
        stream = join(stream, drain(writer, ALL));
        assertArrayEquals(plain(format, segments), stream);
        assertEquals(0, buffers.taken(), "an idle stream has no buffer");
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @ParameterizedTest
    @MethodSource("formats")
    void noUnitIsLongerThanAPacket(UnitFormat format) {
        for (int packet : new int[] {64, 536, 1448, 8948, 65_483}) {
            UnitWriter writer = new UnitWriter(buffers, format, packet, crc, () -> {});
            for (int i = 0; i < 300; i++) {
                int room = writer.room();
                assertTrue(room >= writer.segmentMax());
                write(writer, new byte[i % 3 == 0 ? seed.nextInt(room) : room]);
                assertTrue(writer.pending() <= packet, writer.pending() + " of " + packet);
                if (i % 3 != 0 && !format.markers()) {
                    assertTrue(writer.pending() > Math.min(packet, Fpdu.length(Fpdu.SEGMENT_MAX)) - 4);
                }
                drain(writer, ALL);
            }
        }
    }

    @Test
    void markersFallAtEveryOffsetOfAUnit() {
        UnitFormat format = new UnitFormat(true, true);
        for (int lead = 0; lead < 512; lead += 4) {
            for (int length = 0; length < 700; length += 1 + seed.nextInt(3)) {
                List<byte[]> segments = List.of(randomSegment(lead), randomSegment(length), randomSegment(9));
                UnitWriter writer = new UnitWriter(buffers, format, PACKET, crc, () -> {});
                segments.forEach(segment -> write(writer, segment));
                byte[] stream = drain(writer, ALL);
                assertArrayEquals(plain(format, segments), stream, lead + ", " + length);
                UnitReader reader = new UnitReader(buffers, format, crc);
                assertEquals(stream.length, feed(reader, stream, 0, stream.length));
                Collector collector = new Collector();
                assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
                expectSegments(segments, collector.segments);
            }
        }
        assertEquals(0, buffers.taken());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everySplitGivesTheSameSegments(UnitFormat format) {
        List<byte[]> segments = List.of(
                randomSegment(14),
                randomSegment(0),
                randomSegment(530),
                randomSegment(1),
                randomSegment(22),
                randomSegment(1100));
        byte[] stream = plain(format, segments);
        for (int cut = 0; cut <= stream.length; cut++) {
            UnitReader reader = new UnitReader(buffers, format, crc);
            Collector collector = new Collector();
            feed(reader, stream, 0, cut);
            assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
            feed(reader, stream, cut, stream.length - cut);
            assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
            expectSegments(segments, collector.segments);
            assertEquals(0, reader.available());
        }
        for (int cut = 0; cut <= stream.length; cut++) {
            UnitReader reader = new UnitReader(buffers, format, crc);
            Collector collector = new Collector();
            feed(reader, stream, 0, cut);
            reader.putAside();
            assertEquals(0, buffers.taken(), "the bytes wait elsewhere");
            assertEquals(cut, reader.available());
            assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
            reader.putAside();
            feed(reader, stream, cut, stream.length - cut);
            reader.deliver((memory, from, length) -> Intake.LATER, ALL); // markers are taken out of the first unit
            reader.putAside();
            assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
            expectSegments(segments, collector.segments);
            assertEquals(0, reader.available());
        }
        for (int piece = 1; piece < 70; piece++) {
            UnitReader reader = new UnitReader(buffers, format, crc);
            Collector collector = new Collector();
            for (int at = 0; at < stream.length; at += piece) {
                assertTrue(feed(reader, stream, at, Math.min(piece, stream.length - at)) > 0);
                reader.deliver(collector, ALL);
            }
            expectSegments(segments, collector.segments);
        }
        assertEquals(0, buffers.taken());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void longStreamsPassThroughABoundedBuffer(UnitFormat format) {
        UnitWriter writer = new UnitWriter(buffers, format, UnitFormat.UNIT_MAX, crc, () -> {});
        UnitReader reader = new UnitReader(buffers, format, crc);
        Collector collector = new Collector();
        List<byte[]> segments = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int room = writer.room();
            byte[] segment = randomSegment(i % 2 == 0 ? room : seed.nextInt(room));
            segments.add(segment);
            write(writer, segment);
            while (writer.pending() > 0) {
                byte[] bytes = drain(writer, 1 + seed.nextInt(100_000));
                for (int at = 0; at < bytes.length; ) {
                    at += feed(reader, bytes, at, bytes.length - at);
                    assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, 1 + seed.nextInt(3)));
                }
            }
        }
        assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
        expectSegments(segments, collector.segments);
        assertEquals(segments.size(), reader.units());
    }

    @Test
    void longestSegmentOfTheLengthFieldIsTaken() {
        UnitFormat format = new UnitFormat(true, true);
        for (int length : new int[] {Fpdu.SEGMENT_MAX, Fpdu.LENGTH_FIELD_MAX}) {
            byte[] segment = randomSegment(length);
            byte[] stream = plain(format, List.of(randomSegment(498), segment));
            UnitReader reader = new UnitReader(buffers, format, crc);
            Collector collector = new Collector();
            assertEquals(stream.length, feed(reader, stream, 0, stream.length));
            reader.deliver(collector, ALL);
            assertArrayEquals(segment, collector.segments.getLast());
        }
    }

    @Test
    void noDamagedUnitIsOfferedWhenThereAreCheckSums() {
        for (boolean markers : new boolean[] {false, true}) {
            UnitFormat format = new UnitFormat(markers, true);
            List<byte[]> segments = List.of(randomSegment(300), randomSegment(400), randomSegment(20));
            byte[] stream = plain(format, segments);
            int secondAt = plain(format, segments.subList(0, 1)).length;
            int thirdAt = plain(format, segments.subList(0, 2)).length;
            for (int at = secondAt; at < thirdAt; at++) {
                byte[] damaged = stream.clone();
                damaged[at] ^= (byte) (1 << seed.nextInt(8));
                UnitReader reader = new UnitReader(buffers, format, crc);
                Collector collector = new Collector();
                feed(reader, damaged, 0, damaged.length);
                UnitReader.State state = reader.deliver(collector, ALL);
                assertEquals(1, collector.segments.size(), "byte " + at);
                // A length that became longer than the stream is waited for; all else is damage.
                if (state == UnitReader.State.DAMAGED) {
                    assertEquals(TerminateCode.MPA_CRC, reader.error());
                    assertEquals(UnitReader.State.DAMAGED, reader.deliver(collector, ALL), "and stays so");
                } else {
                    assertTrue(at < secondAt + 2 + 4 && state == UnitReader.State.HUNGRY, "byte " + at);
                }
                reader.release();
            }
        }
        assertEquals(0, buffers.taken());
    }

    @Test
    void markersThatPointElsewhereAreDamage() {
        UnitFormat format = new UnitFormat(true, false);
        byte[] stream = plain(format, List.of(randomSegment(1400)));
        for (int marker = 0; marker < 3; marker++) {
            byte[] damaged = stream.clone();
            damaged[marker * 512 + 3] ^= 4;
            UnitReader reader = new UnitReader(buffers, format, crc);
            Collector collector = new Collector();
            feed(reader, damaged, 0, damaged.length);
            assertEquals(UnitReader.State.DAMAGED, reader.deliver(collector, ALL));
            assertEquals(TerminateCode.MPA_MARKER, reader.error());
            assertEquals(List.of(), collector.segments);
        }
        byte[] lowBits = stream.clone();
        lowBits[512 + 3] ^= 3;
        UnitReader reader = new UnitReader(buffers, format, crc);
        Collector collector = new Collector();
        feed(reader, lowBits, 0, lowBits.length);
        reader.deliver(collector, ALL);
        assertEquals(1, collector.segments.size(), "the lowest two bits do not count");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void receiverThatWaitsIsOfferedTheSameSegmentAgain(UnitFormat format) {
        List<byte[]> segments = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            segments.add(randomSegment(1000 + i));
        }
        byte[] stream = plain(format, segments);
        UnitReader reader = new UnitReader(buffers, format, crc);
        Collector collector = new Collector();
        int at = 0;
        for (int turn = 0; collector.segments.size() < segments.size(); turn++) {
            assertTrue(turn < 10_000);
            at += feed(reader, stream, at, Math.min(stream.length - at, 40_000));
            if (turn % 3 != 0) {
                assertEquals(UnitReader.State.WAITING, reader.deliver((memory, from, length) -> Intake.LATER, ALL));
                if (reader.buffer() == null) {
                    assertTrue(reader.available() > CAPACITY - UnitFormat.UNIT_MAX, "the stream is not read further");
                }
            } else {
                reader.deliver(collector, 20);
            }
        }
        expectSegments(segments, collector.segments);
        assertEquals(stream.length, at);
    }

    @Test
    void receiverThatStopsIsOfferedNothingMore() {
        UnitFormat format = new UnitFormat(false, false);
        byte[] stream = plain(format, List.of(randomSegment(20), randomSegment(30)));
        UnitReader reader = new UnitReader(buffers, format, crc);
        feed(reader, stream, 0, stream.length);
        int[] offered = {0};
        SegmentReceiver stopping = (memory, at, length) -> {
            offered[0]++;
            return Intake.STOPPED;
        };
        assertEquals(UnitReader.State.STOPPED, reader.deliver(stopping, ALL));
        assertEquals(1, offered[0]);
        reader.release();
        assertEquals(0, buffers.taken());
    }

    @Test
    void bytesThatWerePutAsideWaitForABuffer() {
        StreamBuffers one = new StreamBuffers(CAPACITY, 1);
        UnitFormat format = new UnitFormat(true, true);
        List<byte[]> segments = List.of(randomSegment(700));
        byte[] stream = plain(format, segments);
        UnitReader reader = new UnitReader(one, format, crc);
        feed(reader, stream, 0, stream.length);
        assertEquals(UnitReader.State.WAITING, reader.deliver((memory, at, length) -> Intake.LATER, ALL));
        reader.putAside();
        UnitReader other = new UnitReader(one, format, crc);
        assertNotNull(other.buffer());
        Collector collector = new Collector();
        assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
        assertTrue(!reader.hasUnit() && reader.buffer() == null, "no buffer is free");
        other.release();
        assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
        expectSegments(segments, collector.segments);
        assertEquals(0, one.taken());
    }

    @Test
    void limitOfUnitsLeavesTheOthersForTheNextCall() {
        UnitFormat format = new UnitFormat(true, true);
        byte[] stream = plain(format, List.of(randomSegment(20), randomSegment(30), randomSegment(600)));
        UnitReader reader = new UnitReader(buffers, format, crc);
        Collector collector = new Collector();
        feed(reader, stream, 0, stream.length);
        reader.deliver(collector, 2);
        assertEquals(2, collector.segments.size());
        assertTrue(reader.hasUnit());
        reader.deliver(collector, 2);
        assertEquals(3, collector.segments.size());
        assertTrue(!reader.hasUnit());
    }

    @Test
    void buffersAreBounded() {
        StreamBuffers few = new StreamBuffers(CAPACITY, 1);
        UnitWriter writer = new UnitWriter(few, new UnitFormat(false, true), PACKET, crc, () -> {});
        UnitReader reader = new UnitReader(few, new UnitFormat(false, true), crc);
        assertNotNull(reader.buffer());
        assertEquals(0, writer.room(), "no buffer is free");
        reader.release();
        assertNotEquals(0, writer.room());
        write(writer, new byte[100]);
        assertNull(reader.buffer());
        int filled = fill(writer);
        assertTrue(filled >= CAPACITY / PACKET - 1 && writer.pending() <= CAPACITY);
        assertThrows(
                IllegalArgumentException.class,
                () -> new UnitReader(new StreamBuffers(UnitFormat.UNIT_MAX - 1, 1), new UnitFormat(false, false), crc));
    }

    /** Writes segments until there is no room; how many. */
    private static int fill(UnitWriter writer) {
        int filled = 0;
        while (writer.room() > 0) {
            write(writer, new byte[writer.room()]);
            filled++;
        }
        return filled;
    }

    @Test
    void aStreamTakesSeveralBuffersWhileManyAreFree() {
        UnitFormat format = new UnitFormat(false, true);
        StreamBuffers many = new StreamBuffers(CAPACITY, 4 * UnitWriter.BUFFERS_MAX);
        UnitWriter alone = new UnitWriter(many, format, PACKET, crc, () -> {});
        fill(alone);
        assertEquals(UnitWriter.BUFFERS_MAX, many.taken());
        UnitWriter second = new UnitWriter(many, format, PACKET, crc, () -> {});
        fill(second);
        List<UnitWriter> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            UnitWriter other = new UnitWriter(many, format, PACKET, crc, () -> {});
            fill(other);
            others.add(other);
        }
        assertEquals(2 * UnitWriter.BUFFERS_MAX + 4, many.taken(), "the others have one each");
        drain(alone, ALL);
        others.forEach(each -> drain(each, ALL));
        drain(second, CAPACITY);
        assertEquals(UnitWriter.BUFFERS_MAX - 1, many.taken(), "a buffer goes back when its bytes are sent");
        second.release();
        assertEquals(0, many.taken());
    }

    @Test
    void bytesToSendLeaveBuffersForInput() {
        UnitFormat format = new UnitFormat(false, true);
        StreamBuffers eight = new StreamBuffers(CAPACITY, 8);
        for (int i = 0; i < 20; i++) {
            fill(new UnitWriter(eight, format, PACKET, crc, () -> {}));
        }
        assertEquals(6, eight.taken());
        assertNotNull(new UnitReader(eight, format, crc).buffer());
        assertNotNull(new UnitReader(eight, format, crc).buffer());
        assertNull(new UnitReader(eight, format, crc).buffer());
    }

    @Test
    void aSegmentThatIsGivenUpLeavesNothing() {
        UnitWriter writer = new UnitWriter(buffers, new UnitFormat(true, true), PACKET, crc, () -> {});
        writer.begin(100);
        assertEquals(1, buffers.taken());
        writer.cancel();
        assertEquals(0, buffers.taken());
        byte[] segment = randomSegment(600);
        write(writer, segment);
        writer.begin(100);
        writer.cancel();
        assertArrayEquals(plain(new UnitFormat(true, true), List.of(segment)), drain(writer, ALL));
    }

    /** All streams of Linux in pieces of random lengths: the segments of the captures come out, and make the same bytes again. */
    @Test
    void streamsOfLinuxComeOutAsTheirSegments() {
        for (String capture : CapturedStream.captures()) {
            List<CapturedUnits> all = CapturedUnits.of(capture);
            UnitFormat format = new UnitFormat(false, CapturedUnits.hasCrc(all));
            for (CapturedUnits direction : all) {
                byte[] bytes = direction.stream().bytes();
                int start = direction.units().isEmpty()
                        ? bytes.length
                        : direction.units().getFirst();
                UnitReader reader = new UnitReader(buffers, format, crc);
                Collector collector = new Collector();
                for (int at = start; at < bytes.length; ) {
                    at += feed(reader, bytes, at, Math.min(bytes.length - at, 1 + seed.nextInt(3000)));
                    assertEquals(UnitReader.State.HUNGRY, reader.deliver(collector, ALL));
                }
                assertEquals(direction.units().size(), collector.segments.size());
                assertArrayEquals(Arrays.copyOfRange(bytes, start, bytes.length), plain(format, collector.segments));
                UnitWriter writer = new UnitWriter(buffers, format, UnitFormat.UNIT_MAX, crc, () -> {});
                byte[] again = new byte[0];
                for (byte[] segment : collector.segments) {
                    write(writer, segment);
                    again = join(again, drain(writer, ALL));
                }
                assertEquals(
                        HexFormat.of().formatHex(bytes, start, bytes.length),
                        HexFormat.of().formatHex(again),
                        capture);
            }
        }
    }
}
