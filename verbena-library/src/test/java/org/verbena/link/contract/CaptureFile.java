package org.verbena.link.contract;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Reads a capture in the pcapng format. */
public final class CaptureFile {
    private static final int ENHANCED_PACKET = 6;

    private CaptureFile() {}

    /** The frames of a capture. */
    public static List<MemorySegment> frames(java.nio.file.Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<MemorySegment> frames = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += bytes.getInt(at + 4)) {
            if (bytes.getInt(at) == ENHANCED_PACKET) {
                frames.add(MemorySegment.ofBuffer(bytes.slice(at + 28, bytes.getInt(at + 20))));
            }
        }
        return frames;
    }
}
