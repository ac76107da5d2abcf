package org.verbena.link.stream;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;

/** A network of streams that a test has made: it only tells their events. */
public final class LooseStreams implements StreamNetwork {
    private final List<MemoryStream> streams = new ArrayList<>();

    /** Without streams. */
    public LooseStreams() {}

    public void add(ByteStream stream) {
        streams.add((MemoryStream) stream);
    }

    @Override
    public int poll(long nowNs) {
        int told = 0;
        for (MemoryStream each : List.copyOf(streams)) {
            told += each.tell();
        }
        streams.removeIf(MemoryStream::isClosed);
        return told;
    }

    @Override
    public String name() {
        return "streams of a test";
    }

    @Override
    public List<InetAddress> locals() {
        return List.of(InetAddress.getLoopbackAddress());
    }

    @Override
    public ByteStream connect(Endpoint remote, int localPort, StreamUser user) {
        throw new LinkException("no peers here");
    }

    @Override
    public StreamListener listen(Endpoint at, int backlog, StreamAcceptor acceptor) {
        throw new LinkException("no peers here");
    }

    @Override
    public void attach(Sleeper sleeper) {}

    @Override
    public long sleepMaxNs() {
        return 0;
    }

    @Override
    public void close() {
        streams.forEach(MemoryStream::close);
    }
}
