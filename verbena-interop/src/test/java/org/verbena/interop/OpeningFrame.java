package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;

/**
 * A request or reply of MPA on a plain socket.
 *
 * @param depths of revision 2; null if the header has no room for them
 * @param data of the consumer
 */
record OpeningFrame(MpaHeader header, @Nullable MpaDepths depths, PrivateData data) {
    /** A frame with this text as private data. The depths are there if and only if the revision is 2. */
    static OpeningFrame of(boolean reply, int revision, boolean crc, @Nullable MpaDepths depths, String text) {
        return new OpeningFrame(
                new MpaHeader(reply, false, crc, false, depths != null, revision, lengthOf(depths) + text.length()),
                depths,
                PrivateData.of(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static int lengthOf(@Nullable MpaDepths depths) {
        return depths == null ? 0 : MpaDepths.LENGTH;
    }

    OpeningFrame withMarkers() {
        return with(true, false);
    }

    OpeningFrame rejecting() {
        return with(false, true);
    }

    private OpeningFrame with(boolean markers, boolean rejected) {
        MpaHeader changed = new MpaHeader(
                header.reply(),
                markers,
                header.crc(),
                rejected,
                header.enhanced(),
                header.revision(),
                header.privateDataLength());
        return new OpeningFrame(changed, depths, data);
    }

    String text() {
        return new String(data.bytes(), StandardCharsets.US_ASCII);
    }

    /** The depths, which must be there. */
    MpaDepths negotiated() {
        assertNotNull(depths, "the frame has no depths");
        return depths;
    }

    void sendTo(Socket socket) throws IOException {
        byte[] bytes = new byte[MpaHeader.LENGTH + header.privateDataLength()];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        header.write(segment, 0);
        if (depths != null) {
            depths.write(segment, MpaHeader.LENGTH);
        }
        data.write(segment, (long) MpaHeader.LENGTH + lengthOf(depths), data.length());
        socket.getOutputStream().write(bytes);
    }

    /** Reads exactly one frame. */
    static OpeningFrame receiveFrom(Socket socket) throws IOException {
        InputStream stream = socket.getInputStream();
        MemorySegment first = MemorySegment.ofArray(bytes(stream, MpaHeader.LENGTH));
        MpaHeader header = MpaHeader.read(first, 0);
        assertNotNull(header, "no frame of MPA");
        MemorySegment rest = MemorySegment.ofArray(bytes(stream, header.privateDataLength()));
        MpaDepths depths = header.enhanced() ? MpaDepths.read(rest, 0) : null;
        int from = lengthOf(depths);
        return new OpeningFrame(header, depths, PrivateData.read(rest, from, (int) rest.byteSize() - from));
    }

    /** Exactly this number of bytes. */
    static byte[] bytes(InputStream stream, int count) throws IOException {
        byte[] bytes = stream.readNBytes(count);
        assertEquals(count, bytes.length, "bytes before the end of the stream");
        return bytes;
    }
}
