package org.verbena.link.stream;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.time.Seed;

/**
 * Networks within the process, joined with each other: a stream that one opens arrives at the listener of another. One thread drives all of
 * them in turns, in virtual time for instance. With a piece length, bytes come and go in pieces of random lengths.
 */
public final class MemoryStreams {
    private static final int FIRST_PORT = 0xc000;
    private static final int PORT_MAX = 0xffff;

    private final int capacity;
    private final int packetMax;
    private final int pieceMax;
    private final Seed seed;
    private final Map<Endpoint, Listening> listeners = new HashMap<>();
    private int lastPort = FIRST_PORT - 1;

    /**
     * Networks whose streams have these properties.
     *
     * @param capacity bytes that are on the way in one direction of a stream at most
     * @param packetMax bytes of data in a packet
     * @param pieceMax bytes that one call moves at most, a random number of them; 0: all that there are
     */
    public MemoryStreams(int capacity, int packetMax, int pieceMax, Seed seed) {
        this.capacity = capacity;
        this.packetMax = packetMax;
        this.pieceMax = pieceMax;
        this.seed = seed;
    }

    /** The network of one address. */
    public StreamNetwork open(InetAddress address) {
        return new Network(address);
    }

    private int nextPort() {
        lastPort = lastPort == PORT_MAX ? FIRST_PORT : lastPort + 1;
        return lastPort;
    }

    /** The network of one address. */
    private final class Network implements StreamNetwork {
        private final InetAddress address;
        private final List<MemoryStream> streams = new ArrayList<>();
        private final List<Listening> listening = new ArrayList<>();
        /** Attempts to connect that are over, and whose users do not know it. */
        private final ArrayDeque<Runnable> outcomes = new ArrayDeque<>();

        private boolean closed;

        Network(InetAddress address) {
            this.address = address;
        }

        @Override
        public String name() {
            return "streams in memory";
        }

        @Override
        public List<InetAddress> locals() {
            return List.of(address);
        }

        @Override
        public ByteStream connect(Endpoint remote, int localPort, StreamUser user) {
            Endpoint local = new Endpoint(address, localPort == 0 ? nextPort() : localPort);
            MemoryStream[] ends = MemoryStream.pair(local, remote, capacity, packetMax, seed, pieceMax);
            ends[0].user(user);
            streams.add(ends[0]);
            Listening there = listeners.get(remote);
            if (there != null && there.take(ends[1])) {
                outcomes.add(ends[0]::onConnected);
            } else {
                outcomes.add(() -> ends[0].onRefused("no listener at " + remote));
            }
            return ends[0];
        }

        @Override
        public StreamListener listen(Endpoint at, int backlog, StreamAcceptor acceptor) {
            if (!at.address().isAnyLocalAddress() && !at.address().equals(address)) {
                throw new LinkException("address " + at.address().getHostAddress() + " found, "
                        + address.getHostAddress() + " or a wildcard expected");
            }
            Endpoint place = new Endpoint(address, at.port() == 0 ? nextPort() : at.port());
            Listening made = new Listening(this, place, backlog, acceptor);
            if (listeners.putIfAbsent(place, made) != null) {
                throw new LinkException("port " + place.port() + " of " + address.getHostAddress() + " is taken");
            }
            listening.add(made);
            return made;
        }

        @Override
        public int poll(long nowNs) {
            int told = 0;
            for (Runnable outcome = outcomes.poll(); outcome != null; outcome = outcomes.poll()) {
                outcome.run();
                told++;
            }
            // By index: what is told may open and close streams and listeners. One that is skipped has its turn in the
            // next poll.
            for (int i = 0; i < listening.size(); i++) {
                told += listening.get(i).tell();
            }
            for (int i = 0; i < streams.size(); i++) {
                told += streams.get(i).tell();
            }
            streams.removeIf(MemoryStream::isClosed);
            return told;
        }

        @Override
        public void attach(Sleeper sleeper) {}

        @Override
        public long sleepMaxNs() {
            boolean event = !outcomes.isEmpty()
                    || listening.stream().anyMatch(Listening::isReady)
                    || streams.stream().anyMatch(MemoryStream::isReady);
            return event ? 0 : Long.MAX_VALUE;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                List.copyOf(listening).forEach(Listening::close);
                streams.forEach(MemoryStream::close);
                streams.clear();
                outcomes.clear();
            }
        }
    }

    /** A listener, and the streams that wait for it. */
    private final class Listening implements StreamListener {
        private final Network network;
        private final Endpoint at;
        private final int backlog;
        private final StreamAcceptor acceptor;
        private final ArrayDeque<MemoryStream> waiting = new ArrayDeque<>();
        private boolean paused;

        Listening(Network network, Endpoint at, int backlog, StreamAcceptor acceptor) {
            this.network = network;
            this.at = at;
            this.backlog = backlog;
            this.acceptor = acceptor;
        }

        @Override
        public Endpoint local() {
            return at;
        }

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public void resume() {
            paused = false;
        }

        boolean take(MemoryStream theirs) {
            return waiting.size() < backlog && waiting.add(theirs);
        }

        boolean isReady() {
            return !paused && !waiting.isEmpty();
        }

        int tell() {
            int told = 0;
            while (isReady()) {
                MemoryStream theirs = waiting.remove();
                network.streams.add(theirs);
                acceptor.onStream(theirs);
                told++;
            }
            return told;
        }

        @Override
        public void close() {
            if (listeners.remove(at, this)) {
                network.listening.remove(this);
                waiting.forEach(MemoryStream::close);
                waiting.clear();
            }
        }
    }
}
