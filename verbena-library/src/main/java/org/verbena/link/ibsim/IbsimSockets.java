package org.verbena.link.ibsim;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;

/**
 * The UDP sockets of a server at ibsim's protocol: a control port, and behind it one data port for each slot. All are on 127.0.0.1.
 *
 * <p>A slot without a client refuses every datagram, a slot with a client those of other sources; both are counted. Nothing is allocated for a datagram.
 *
 * <p>One thread calls everything but {@link #wake}.
 */
public final class IbsimSockets implements AutoCloseable {
    /** Slots whose ports are bound from the beginning, as ibsim has them. */
    public static final int SLOTS_READY = 10;

    /** Clients at a time. Ports of slots from {@link #SLOTS_READY} on are bound when they are needed. */
    public static final int SLOTS_MAX = 64;

    /** Bytes of the longest message. */
    public static final int LENGTH_MAX = 288;

    /** Datagrams of one socket that are taken in a row, so that no client keeps the others waiting. */
    private static final int BATCH_MAX = 32;

    /** How often the socket of the client that sent last is read before all are looked at. */
    private static final int TRUST_MAX = 8;

    /** The usual control port, where a search for free ports begins. */
    public static final int PORT_USUAL = 7070;

    /** A search ends here, below the ports that systems give to sockets without a wish. */
    private static final int SEARCH_END = 32_000;

    private static final int PORT_MAX = 65_535;
    private static final long NS_PER_MS = 1_000_000;

    private final Selector selector;
    private final LoopbackChannel control;
    private final int controlPort;
    private final @Nullable LoopbackChannel[] listening = new LoopbackChannel[SLOTS_MAX];
    private final @Nullable LoopbackChannel[] clients = new LoopbackChannel[SLOTS_MAX];
    private final ByteBuffer arrival = ByteBuffer.allocateDirect(LENGTH_MAX + 1);
    private final MemorySegment arrivalSegment = MemorySegment.ofBuffer(arrival);

    private final LoopbackChannel[] ready = new LoopbackChannel[1 + 2 * SLOTS_MAX];
    private int readyCount;
    private final Consumer<SelectionKey> onReady = this::remember;
    private long refused;
    /** The client that sent last is likely to be the next. Its socket is read without a look at the others, a few times in a row. */
    private @Nullable LoopbackChannel recent;

    private int trusted;

    private IbsimSockets(Selector selector, int port) throws IOException {
        this.selector = selector;
        this.control = LoopbackChannel.listening(LoopbackChannel.CONTROL, port, selector);
        this.controlPort = control.port();
        for (int slot = 0; slot < SLOTS_READY; slot++) {
            listen(slot);
        }
    }

    /**
     * Binds the control port, and the data ports of the first {@link #SLOTS_READY} slots behind it.
     *
     * @param port the control port; 0: the first range of ports that is free, from {@link #PORT_USUAL} on
     * @throws LinkException if one of the ports is in use or out of range
     */
    public static IbsimSockets open(int port) {
        if (port < 0 || port > PORT_MAX - SLOTS_READY) {
            throw new LinkException("port " + port + " found, 0 … " + (PORT_MAX - SLOTS_READY) + " expected");
        }
        if (port != 0) {
            return tryOpen(port);
        }
        for (int choice = PORT_USUAL; ; choice += 1 + SLOTS_MAX) {
            try {
                return tryOpen(choice);
            } catch (LinkException e) {
                if (choice > SEARCH_END) {
                    throw e;
                }
            }
        }
    }

    private static IbsimSockets tryOpen(int port) {
        Selector selector = null;
        try {
            selector = Selector.open();
            return new IbsimSockets(selector, port);
        } catch (IOException | LinkException e) {
            closeAll(selector);
            throw e instanceof LinkException known
                    ? known
                    : new LinkException("sockets at port " + port + " refused: " + e.getMessage(), e);
        }
    }

    static void closeAll(@Nullable Selector selector) {
        if (selector == null) {
            return;
        }
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            // Closing is the only purpose; the caller could do nothing more.
        }
    }

    private LoopbackChannel listen(int slot) {
        int port = controlPort + 1 + slot;
        if (port > PORT_MAX) {
            throw new LinkException("slot " + slot + " has no port behind control port " + controlPort);
        }
        LoopbackChannel made = LoopbackChannel.listening(slot, port, selector);
        listening[slot] = made;
        return made;
    }

    /** The control port. */
    public int port() {
        return controlPort;
    }

    /** Datagrams refused because of their source: not the client of the slot, or not this machine. */
    public long refused() {
        return refused;
    }

    /** Gives a slot a client. False if the slot's port cannot be had; another slot may do. */
    public boolean connect(int slot, InetSocketAddress peer) {
        release(slot);
        try {
            LoopbackChannel at = listening[slot];
            clients[slot] = (at == null ? listen(slot) : at).connect(peer, selector);
            return true;
        } catch (IOException | LinkException e) {
            return false;
        }
    }

    /** Takes the client from a slot. */
    public void release(int slot) {
        LoopbackChannel client = clients[slot];
        if (client != null) {
            client.close();
            clients[slot] = null;
            recent = client == recent ? null : recent;
            giveUpClosed();
        }
    }

    /** The system's socket of a closed channel is open until the selector is used. What is ready stays ready. */
    private void giveUpClosed() {
        try {
            selector.selectNow(key -> {});
        } catch (IOException | ClosedSelectorException e) {
            // The next look does it.
        }
    }

    /** Whether a program of this machine has a socket at the address. A client without one is gone. */
    public boolean isInUse(InetSocketAddress address) {
        return LoopbackChannel.isInUse(address);
    }

    /** Sends a whole buffer to the client of a slot. False: the client is gone. A slot without a client sends nothing. */
    public boolean send(int slot, ByteBuffer datagram) {
        LoopbackChannel client = clients[slot];
        return client == null || client.write(datagram);
    }

    /** Sends a whole buffer from the control port. */
    public void reply(ByteBuffer datagram, InetSocketAddress target) {
        control.send(datagram, target);
    }

    /**
     * Takes datagrams that have arrived, without waiting. A call in a row may look at the client that sent last only; the next {@link #sleep} ends at once if
     * there are others.
     *
     * @return how many
     */
    public int poll(IbsimTaker taker) {
        LoopbackChannel likely = recent;
        if (likely != null && readyCount == 0 && ++trusted < TRUST_MAX) {
            return takeOne(likely, taker) ? 1 : 0;
        }
        if (readyCount == 0) {
            trusted = 0;
            look();
        }
        int taken = 0;
        int count = readyCount;
        for (int i = 0; i < count; i++) {
            taken += drain(ready[i], taker);
        }
        forgetDrained();
        return taken;
    }

    private int drain(LoopbackChannel channel, IbsimTaker taker) {
        for (int taken = 0; taken < BATCH_MAX; taken++) {
            // A message before this one may have closed it.
            if (!channel.ready || !takeOne(channel, taker)) {
                channel.ready = false;
                return taken;
            }
        }
        return BATCH_MAX;
    }

    private boolean takeOne(LoopbackChannel channel, IbsimTaker taker) {
        if (channel.connected) {
            int length = channel.read(arrival);
            if (length > 0) {
                recent = channel;
                taker.onData(channel.slot, arrivalSegment, length);
            } else if (length == LoopbackChannel.GONE) {
                taker.onGone(channel.slot);
            }
            return length > 0;
        }
        InetSocketAddress source = channel.receive(arrival);
        if (source == null) {
            return false;
        }
        if (channel.slot != LoopbackChannel.CONTROL || !source.getAddress().isLoopbackAddress()) {
            refused++;
        } else {
            taker.onControl(arrivalSegment, arrival.position(), source);
        }
        return true;
    }

    /** Channels that had more than a batch stay ready. */
    private void forgetDrained() {
        int kept = 0;
        for (int i = 0; i < readyCount; i++) {
            if (ready[i].ready) {
                ready[kept++] = ready[i];
            }
        }
        readyCount = kept;
    }

    private void look() {
        try {
            selector.selectNow(onReady);
        } catch (IOException | ClosedSelectorException e) {
            // Nothing is ready.
        }
    }

    private void remember(SelectionKey key) {
        if (key.attachment() instanceof LoopbackChannel channel && !channel.ready) {
            channel.ready = true;
            ready[readyCount++] = channel;
        }
    }

    /** Waits until a datagram arrives or {@link #wake} is called, at most this long. A wait of less than a millisecond is a look. */
    public void sleep(long maxNs) {
        if (readyCount > 0) {
            return;
        }
        long ms = maxNs / NS_PER_MS;
        if (ms == 0) {
            look();
            return;
        }
        try {
            selector.select(onReady, ms);
        } catch (IOException | ClosedSelectorException e) {
            // The next look shows what there is.
        }
    }

    /** Ends a sleep, or the next one. Any thread. */
    public void wake() {
        if (selector.isOpen()) {
            selector.wakeup();
        }
    }

    @Override
    public void close() {
        closeAll(selector);
    }
}
