package org.verbena.wire.iwarp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Frames segments one byte after the other, as RFC 5044 describes it, for comparison with code that is made to be fast. */
public final class PlainFraming {
    private final boolean markers;
    private final boolean crc;
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
    private int unitAt;
    private CRC32C sum = new CRC32C();

    public PlainFraming(boolean markers, boolean crc) {
        this.markers = markers;
        this.crc = crc;
    }

    /** Adds the unit of a segment to the stream. */
    public void add(byte[] segment) {
        sum = new CRC32C();
        markerIfDue(0);
        unitAt = stream.size();
        put(segment.length >>> 8);
        put(segment.length);
        for (byte each : segment) {
            put(each);
        }
        for (int i = 0; i < padded(segment); i++) {
            put(0);
        }
        markerIfDue(stream.size() - unitAt);
        int value = crc ? Integer.reverseBytes((int) sum.getValue()) : 0;
        stream.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
    }

    private static int padded(byte[] segment) {
        return (4 - (segment.length + 2) % 4) % 4;
    }

    private void put(int value) {
        if (stream.size() > unitAt) {
            markerIfDue(stream.size() - unitAt);
        }
        stream.write(value);
        sum.update(value);
    }

    private void markerIfDue(int pointer) {
        if (markers && stream.size() % 512 == 0) {
            byte[] marker = {0, 0, (byte) (pointer >>> 8), (byte) pointer};
            stream.writeBytes(marker);
            sum.update(marker);
        }
    }

    /** All bytes so far. */
    public byte[] bytes() {
        return stream.toByteArray();
    }
}
