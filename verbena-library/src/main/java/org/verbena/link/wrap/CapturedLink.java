package org.verbena.link.wrap;

import java.nio.channels.WritableByteChannel;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Framing;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.time.NanoClock;
import org.verbena.wire.pcap.PcapngWriter;
import org.verbena.wire.pcap.PcapngWriter.LinkType;

/**
 * Writes every packet of another link, both ways, into a capture in the pcapng format. Packets of RoCEv2 are Ethernet frames with IP and UDP
 * around them: with the ports, the identification, the traffic class and the hop limit they have, so that the invariant CRC in the capture is
 * right wherever the one in the packet is. Packets of InfiniBand are written from the local route header on, with the variant CRC that
 * they have as they stand: outbound, the fabric has not chosen their virtual lane yet.
 *
 * <p>Ports are the link's own: Wireshark takes UDP port 4791 for RoCEv2 by itself, another when told ({@code -o infiniband.rroce.port:N}). A
 * capture that cannot be written any more ends; the packets go on, and {@link #close} throws the reason.
 */
public final class CapturedLink extends ForwardingLink {
    private final CaptureSink sink;
    private final FrameCapture capture;
    private final PacketHandler arrivals = this::onArrival;
    private PacketHandler handler = packet -> {};
    private boolean closed;

    /**
     * Wraps a link, which is closed with this one, as is the channel.
     *
     * @param clock the times in the capture; one that counts from 1970 gives dates
     */
    public CapturedLink(Link inner, WritableByteChannel channel, NanoClock clock) {
        super(inner);
        this.sink = new CaptureSink(channel, clock, typeOf(inner.framing()), inner.name() + " at " + inner.local());
        this.capture = new FrameCapture(sink);
    }

    private static LinkType typeOf(Framing framing) {
        return switch (framing) {
            case ROCE_V2 -> LinkType.ETHERNET;
            case INFINIBAND -> LinkType.INFINIBAND;
        };
    }

    /**
     * Wraps a link and captures into a file: a new one that only its owner may read, as it holds the packets' bytes, or an old one that is
     * overwritten.
     *
     * @throws LinkException if the file cannot be written
     */
    public static CapturedLink toFile(Link inner, java.nio.file.Path file, NanoClock clock) {
        return new CapturedLink(inner, CaptureFiles.open(file), clock);
    }

    @Override
    public String name() {
        return "captured " + inner.name();
    }

    @Override
    public void commit(Packet packet) {
        capture.capture(packet, PcapngWriter.Direction.OUTBOUND);
        inner.commit(packet);
    }

    @Override
    public int receive(PacketHandler target, int limit) {
        handler = target;
        return inner.receive(arrivals, limit);
    }

    private void onArrival(Packet packet) {
        // First: the handler may change the bytes.
        capture.capture(packet, PcapngWriter.Direction.INBOUND);
        handler.onPacket(packet);
    }

    /** Writes the captured packets into the file while there is time. */
    @Override
    public long sleepMaxNs() {
        sink.flush();
        return inner.sleepMaxNs();
    }

    /**
     * Closes the link and completes the capture.
     *
     * @throws LinkException if the capture is not complete; the link is closed all the same
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
