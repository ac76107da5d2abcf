package org.verbena.link.wrap;

import java.net.InetAddress;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamAcceptor;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;
import org.verbena.time.NanoClock;
import org.verbena.wire.pcap.PcapngWriter;

/**
 * Writes the bytes of all streams of another network, both ways, into a capture in the pcapng format. The network has no packets to show: the capture has
 * the segments of TCP that could have carried the bytes, with handshake, sequence numbers and check sums, and no loss, so that Wireshark shows MPA, DDP and
 * RDMAP in them.
 *
 * <p>A capture that cannot be written any more ends; the streams go on, and {@link #close} throws the reason.
 */
public final class CapturedStreamNetwork implements StreamNetwork {
    private final StreamNetwork inner;
    private final CaptureSink sink;
    private final SegmentCapture capture;
    private int lastNumber;
    private boolean closed;

    /**
     * Wraps a network, which is closed with this one, as is the channel.
     *
     * @param clock the times in the capture; one that counts from 1970 gives dates
     */
    public CapturedStreamNetwork(StreamNetwork inner, WritableByteChannel channel, NanoClock clock) {
        this.inner = inner;
        this.sink = new CaptureSink(
                channel,
                clock,
                PcapngWriter.LinkType.ETHERNET,
                inner.name() + " at " + inner.locals().getFirst().getHostAddress());
        this.capture = new SegmentCapture(sink);
    }

    /**
     * Wraps a network and captures into a file: a new one that only its owner may read, as it holds the bytes of the streams, or an old one that is
     * overwritten.
     *
     * @throws LinkException if the file cannot be written
     */
    public static CapturedStreamNetwork toFile(StreamNetwork inner, java.nio.file.Path file, NanoClock clock) {
        return new CapturedStreamNetwork(inner, CaptureFiles.open(file), clock);
    }

    @Override
    public String name() {
        return "captured " + inner.name();
    }

    @Override
    public List<InetAddress> locals() {
        return inner.locals();
    }

    @Override
    public ByteStream connect(Endpoint remote, int localPort, StreamUser user) {
        CapturedOpening opening = new CapturedOpening(user);
        CapturedStream made = new CapturedStream(inner.connect(remote, localPort, opening), capture, ++lastNumber);
        made.opens(opening);
        return made;
    }

    @Override
    public StreamListener listen(Endpoint at, int backlog, StreamAcceptor acceptor) {
        return inner.listen(at, backlog, new StreamAcceptor() {
            @Override
            public void onStream(ByteStream stream) {
                CapturedStream made = new CapturedStream(stream, capture, ++lastNumber);
                made.onOpened(false);
                acceptor.onStream(made);
            }

            @Override
            public void onRefused(String detail) {
                acceptor.onRefused(detail);
            }
        });
    }

    @Override
    public int poll(long nowNs) {
        return inner.poll(nowNs);
    }

    @Override
    public void attach(Sleeper sleeper) {
        inner.attach(sleeper);
    }

    /** Writes the capture into the file while there is time. */
    @Override
    public long sleepMaxNs() {
        sink.flush();
        return inner.sleepMaxNs();
    }

    /**
     * Closes the network and completes the capture.
     *
     * @throws LinkException if the capture is not complete; the network is closed all the same
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        inner.close();
        sink.close();
    }
}
