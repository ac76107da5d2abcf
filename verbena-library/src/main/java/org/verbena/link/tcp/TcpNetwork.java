package org.verbena.link.tcp;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamAcceptor;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;
import org.verbena.link.support.LocalInterface;
import org.verbena.link.tcp.driver.BufferSizes;
import org.verbena.link.tcp.driver.FailedSocket;
import org.verbena.link.tcp.driver.OpenFailure;
import org.verbena.link.tcp.driver.Sockets;
import org.verbena.link.tcp.driver.StreamSocket;
import org.verbena.link.tcp.nio.NioSockets;

/**
 * The machine's own network: streams over TCP.
 *
 * <p>A stream that is idle costs nothing in a poll. The sleeper watches all streams; a sleep tells the ready ones. While the engine has work and does
 * not sleep, a poll has the sleeper look from time to time. Between two looks it tells streams that may have an event: those that were found ready
 * and have not been read empty, and a few that had bytes a short time ago. A network that is not attached to a sleeper asks the system
 * for each stream in each poll.
 */
public final class TcpNetwork implements StreamNetwork {
    /** Streams that are told between looks because they had bytes a short time ago, at most. A look is cheaper than more reads. */
    private static final int WARM_STREAMS = 8;

    /** Polls from one look to the next, if there are streams to tell. */
    private static final int POLLS_PER_LOOK = 8;

    /** The same, if there are none. */
    private static final int IDLE_POLLS_PER_LOOK = 2;

    /** Time after which the next poll looks in any case. */
    private static final long LOOK_NS = 50_000;

    /** Headers of IP and TCP, with the time stamps that most systems add. */
    private static final int IPV4_AND_TCP = 20 + 20 + 12;

    private static final int IPV6_AND_TCP = 40 + 20 + 12;

    private static final StreamUser NO_USER = new StreamUser() {
        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}
    };

    private final Sockets sockets;
    private final InetAddress address;
    private final int packetMax;
    private final ArrayList<TcpStream> streams = new ArrayList<>();
    private final ArrayList<TcpListener> listeners = new ArrayList<>();
    /** The streams that the next poll tells. */
    private final ArrayList<TcpStream> listed = new ArrayList<>();

    private @Nullable Sleeper sleeper;
    private int pollsSinceLook;
    private long lookedNs;
    private boolean closed;

    private TcpNetwork(Sockets sockets, InetAddress address) {
        this.sockets = sockets;
        this.address = address;
        Endpoint local = new Endpoint(address, 0);
        this.packetMax = LocalInterface.mtu(local) - (local.ipv6() ? IPV6_AND_TCP : IPV4_AND_TCP);
    }

    /**
     * The network of one address of this machine. Nothing is opened yet.
     *
     * @param local not a wildcard
     * @throws LinkException if the address is not one of this machine
     */
    public static TcpNetwork open(InetAddress local, TcpOptions options) {
        if (local.isAnyLocalAddress() || local.isMulticastAddress()) {
            throw new LinkException(
                    "local address " + local.getHostAddress() + " found, a definite address of this machine expected");
        }
        BufferSizes sizes = new BufferSizes(options.sendBufferBytes(), options.receiveBufferBytes());
        return new TcpNetwork(new NioSockets(sizes), local);
    }

    @Override
    public String name() {
        return sockets.name();
    }

    @Override
    public List<InetAddress> locals() {
        return List.of(address);
    }

    int packetMax() {
        return packetMax;
    }

    /** {@inheritDoc} A local port that is taken is told as {@link StreamFailure#EXHAUSTED}. */
    @Override
    public ByteStream connect(Endpoint remote, int localPort, StreamUser user) {
        requireOpen();
        Endpoint local = new Endpoint(address, localPort);
        TcpStream made = make(local, remote, user);
        list(made); // the attempt may be over already
        return made;
    }

    private TcpStream make(Endpoint local, Endpoint remote, StreamUser user) {
        try {
            return add(new TcpStream(this, socket(local, remote), user, true));
        } catch (LinkException e) {
            OpenFailure failure =
                    new OpenFailure(StreamFailure.EXHAUSTED, local, remote, String.valueOf(e.getMessage()));
            return add(new TcpStream(this, new FailedSocket(local, remote, failure), user, true));
        }
    }

    private StreamSocket socket(Endpoint local, Endpoint remote) {
        try {
            if (local.ipv6() != remote.ipv6()) {
                throw new OpenFailure(
                        StreamFailure.UNREACHABLE, local, remote, "two addresses of one family are expected");
            }
            return sockets.connect(local, remote);
        } catch (OpenFailure e) {
            return new FailedSocket(local, remote, e);
        }
    }

    /**
     * A stream that a listener has taken.
     *
     * @throws LinkException if the sleeper cannot watch it; it is closed
     */
    TcpStream add(StreamSocket socket) {
        return add(new TcpStream(this, socket, NO_USER, false));
    }

    private TcpStream add(TcpStream stream) {
        stream.index = streams.size();
        streams.add(stream);
        if (sleeper != null) {
            try {
                stream.attach(sleeper);
            } catch (LinkException e) {
                stream.close();
                throw e;
            }
        }
        return stream;
    }

    @Override
    public StreamListener listen(Endpoint at, int backlog, StreamAcceptor acceptor) {
        requireOpen();
        if (!at.address().isAnyLocalAddress() && !at.address().equals(address)) {
            throw new LinkException("address " + at.address().getHostAddress() + " found, " + address.getHostAddress()
                    + " or a wildcard expected");
        }
        Endpoint place = at.address().isAnyLocalAddress() ? wildcard(at.port()) : at;
        TcpListener made = new TcpListener(this, sockets.listen(place, backlog), acceptor);
        listeners.add(made);
        if (sleeper != null) {
            try {
                made.attach(sleeper);
            } catch (LinkException e) {
                made.close();
                throw e;
            }
        }
        return made;
    }

    /** The wildcard of the family of its own address: streams to that address are to arrive. */
    private Endpoint wildcard(int port) {
        return Endpoint.of(new Endpoint(address, 0).ipv6() ? "::" : "0.0.0.0", port);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "use of a closed network found: " + name() + " of " + address.getHostAddress());
        }
    }

    /** The next poll tells this stream. */
    void list(TcpStream stream) {
        if (!stream.listed) {
            stream.listed = true;
            listed.add(stream);
        }
    }

    void onClosed(TcpStream stream) {
        if (!closed) {
            TcpStream last = streams.removeLast();
            if (last != stream) {
                streams.set(stream.index, last);
                last.index = stream.index;
            }
        }
    }

    void onClosed(TcpListener listener) {
        listeners.remove(listener);
    }

    @Override
    public int poll(long nowNs) {
        if (streams.isEmpty() && listeners.isEmpty()) {
            return 0;
        }
        findEvents(nowNs);
        int told = 0;
        for (int i = listeners.size() - 1; i >= 0; i--) {
            if (i < listeners.size()) { // an acceptor may close listeners
                told += listeners.get(i).tell(nowNs);
            }
        }
        // Users may list other streams meanwhile: they are told by the next poll.
        int count = listed.size();
        for (int i = 0; i < count && i < listed.size(); i++) {
            told += listed.get(i).tell();
        }
        unlist();
        return told;
    }

    private void findEvents(long nowNs) {
        Sleeper present = sleeper;
        if (present == null) {
            streams.forEach(TcpStream::onReady);
            listeners.forEach(TcpListener::onReady);
            return;
        }
        int pollsPerLook = listed.isEmpty() ? IDLE_POLLS_PER_LOOK : POLLS_PER_LOOK;
        if (++pollsSinceLook >= pollsPerLook || nowNs - lookedNs >= LOOK_NS) {
            pollsSinceLook = 0;
            lookedNs = nowNs;
            present.look();
        }
    }

    /** Only streams that may have an event stay listed. */
    private void unlist() {
        boolean few = listed.size() <= WARM_STREAMS;
        int kept = 0;
        for (int i = 0; i < listed.size(); i++) {
            TcpStream stream = listed.get(i);
            if (stream.hasEvent() || (few && stream.isWarm())) {
                listed.set(kept++, stream);
            } else {
                stream.listed = false;
            }
        }
        while (listed.size() > kept) {
            listed.removeLast();
        }
    }

    @Override
    public void attach(Sleeper to) {
        sockets.tryWatch(to);
        sleeper = to;
        listeners.forEach(each -> each.attach(to));
        streams.forEach(each -> each.attach(to));
    }

    @Override
    public long sleepMaxNs() {
        long longestNs = Long.MAX_VALUE;
        for (int i = 0; i < listeners.size(); i++) {
            TcpListener listener = listeners.get(i);
            if (listener.hasEvent()) {
                return 0;
            }
            longestNs = listener.rests() ? TcpListener.REST_NS : longestNs;
        }
        for (int i = 0; i < listed.size(); i++) {
            if (listed.get(i).hasEvent()) {
                return 0;
            }
        }
        return longestNs;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            List.copyOf(listeners).forEach(TcpListener::close);
            streams.forEach(TcpStream::close);
            streams.clear();
            listed.clear();
        }
    }
}
