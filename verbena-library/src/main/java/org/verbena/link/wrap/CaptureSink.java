package org.verbena.link.wrap;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;
import org.verbena.time.NanoClock;
import org.verbena.wire.pcap.PcapngWriter;
import org.verbena.wire.pcap.PcapngWriter.Direction;

/** Where the frames of a capture go. The first failure to write ends the capture and is remembered; the traffic is not disturbed by it. */
final class CaptureSink {
    private final PcapngWriter writer;
    private final NanoClock clock;
    private @Nullable IOException failure;

    CaptureSink(WritableByteChannel channel, NanoClock clock, PcapngWriter.LinkType type, String interfaceName) {
        this.writer = new PcapngWriter(channel, type, "Verbena", interfaceName);
        this.clock = clock;
    }

    /** Whether frames are still taken. */
    boolean isOpen() {
        return failure == null;
    }

    /** Takes the bytes of a frame, from its begin to {@link #end}. */
    PcapngWriter writer() {
        return writer;
    }

    /** The time of a frame that ends now. */
    long nowNs() {
        return clock.nowNs();
    }

    /** The frame is whole. */
    void end(Direction direction) throws IOException {
        writer.end(clock.nowNs(), direction);
    }

    /** A frame could not be written. */
    void fail(IOException reason) {
        failure = reason;
    }

    /** Hands over the frames captured so far. */
    void flush() {
        if (failure == null) {
            try {
                writer.flush();
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /**
     * Completes the capture.
     *
     * @throws LinkException if it is not complete
     */
    void close() {
        try {
            writer.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        IOException first = failure;
        if (first != null) {
            throw new LinkException("the capture is not complete: " + first.getMessage(), first);
        }
    }
}
