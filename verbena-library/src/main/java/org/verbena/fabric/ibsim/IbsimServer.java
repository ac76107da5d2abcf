package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.FabricService;
import org.verbena.link.LinkException;
import org.verbena.link.ibsim.IbsimSockets;
import org.verbena.link.ibsim.IbsimTaker;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.wire.mad.Mad;

/**
 * Serves a fabric at the protocol of ibsim, on the loopback interface: unmodified tools attach to ports of the fabric by the library
 * {@code libumad2sim}.
 *
 * <p>No datagram from outside causes an exception; one that the server does not understand has no effect but on a counter.
 *
 * <p>The thread that drives the fabric calls everything but {@link #wake}, {@link #port} and {@link #close}.
 */
public final class IbsimServer implements FabricService, AutoCloseable {
    /** A slot may be taken from a client that has been silent for this long, if there is no other. */
    static final long SILENCE_MAX_NS = 60_000_000_000L;

    /** How often the server looks for clients that ended without a word. */
    static final long LOOK_NS = 500_000_000;

    private final IbsimSockets sockets;
    private final Attaching fabric;
    private final Consumer<Runnable> onFabric;
    private final NodeNames names;
    private final Tally tally = new Tally();
    private final ClientTable clients = new ClientTable();
    private final ControlDesk desk;
    private final Postbox postbox;
    private final Taker taker = new Taker();
    private long nowNs;
    private long nextLookNs;
    private boolean looked;

    private IbsimServer(List<ManagedNode> nodes, Attaching fabric, Consumer<Runnable> onFabric, IbsimSockets sockets) {
        this.fabric = fabric;
        this.onFabric = onFabric;
        this.sockets = sockets;
        this.names = new NodeNames(nodes);
        this.desk = new ControlDesk(sockets, tally);
        this.postbox = new Postbox(sockets, tally);
    }

    /**
     * Opens the sockets of a server and adds it to a fabric, before the fabric is started.
     *
     * @param port the control port; the {@link IbsimSockets#SLOTS_READY} ports behind it are used too. 0: the server chooses
     * @throws LinkException if a port is in use
     */
    public static IbsimServer open(Fabric fabric, int port) {
        IbsimServer server = new IbsimServer(fabric.nodes(), fabric::attach, fabric::call, IbsimSockets.open(port));
        fabric.serve(server);
        return server;
    }

    static IbsimServer open(List<ManagedNode> nodes, Attaching fabric, int port) {
        return new IbsimServer(nodes, fabric, Runnable::run, IbsimSockets.open(port));
    }

    /** The control port. Any thread. */
    public int port() {
        return sockets.port();
    }

    /** Clients that are connected. */
    public int clientCount() {
        return clients.count();
    }

    public IbsimCounters counters() {
        return tally.snapshot(sockets.refused());
    }

    @Override
    public int poll(long nowNs) {
        this.nowNs = nowNs;
        int taken = sockets.poll(taker);
        if (!looked || nowNs - nextLookNs >= 0) {
            looked = true;
            nextLookNs = nowNs + LOOK_NS;
            clients.forEach(this::removeIfGone);
        }
        return taken;
    }

    @Override
    public void sleep(long maxNs) {
        sockets.sleep(Math.min(maxNs, LOOK_NS));
    }

    @Override
    public void wake() {
        sockets.wake();
    }

    /** Disconnects all clients and closes the sockets. Any thread; before the fabric is closed. */
    @Override
    public void close() {
        onFabric.accept(() -> {
            clients.forEach(this::remove);
            sockets.close();
        });
    }

    private void remove(Client client) {
        clients.remove(client);
        sockets.release(client.slot());
        client.close();
    }

    private void removeIfGone(Client client) {
        if (client.isGone() || !sockets.isInUse(client.data())) {
            tally.vanished++;
            remove(client);
        }
    }

    private @Nullable Client connect(ManagedPort port, InetSocketAddress control, InetSocketAddress data) {
        // The port of a client that is gone may be that of the next.
        clients.forEach(client -> {
            if (client.data().equals(data)) {
                tally.vanished++;
                remove(client);
            }
        });
        Client made = connectInFreeSlot(port, control, data);
        if (made == null) {
            clients.forEach(this::removeIfGone);
            made = connectInFreeSlot(port, control, data);
        }
        Client silent = clients.longestSilent();
        if (made == null && silent != null && nowNs - silent.lastNs() >= SILENCE_MAX_NS) {
            tally.displaced++;
            remove(silent);
            made = connectInFreeSlot(port, control, data);
        }
        return made;
    }

    private @Nullable Client connectInFreeSlot(ManagedPort port, InetSocketAddress control, InetSocketAddress data) {
        for (int slot = 0; slot < IbsimSockets.SLOTS_MAX; slot++) {
            if (clients.isFree(slot) && sockets.connect(slot, data)) {
                Client client = new Client(slot, port, control, data, clients, postbox);
                client.attach(fabric, nowNs);
                clients.add(client);
                tally.connected++;
                return client;
            }
        }
        return null;
    }

    /** What arrives at the sockets. */
    private final class Taker implements IbsimTaker {
        private static final int PORT_MAX = 65_535;

        private @Nullable MemorySegment arrival;
        private MemorySegment mad = MemorySegment.NULL;

        @Override
        public void onControl(MemorySegment request, int length, InetSocketAddress source) {
            if (!ControlMessage.isWellFormed(request, length)) {
                tally.refusedControls++;
                return;
            }
            if (ControlMessage.type(request) == ControlMessage.CONNECT) {
                onConnect(request, source);
                return;
            }
            Client client = clients.find(ControlMessage.client(request));
            if (client == null || !client.isFrom(source)) {
                tally.refusedClients += client == null ? 0 : 1;
                desk.error(request, source);
                return;
            }
            client.seen(nowNs);
            switch (ControlMessage.type(request)) {
                case ControlMessage.DISCONNECT -> {
                    tally.disconnected++;
                    remove(client);
                    desk.echo(request, source);
                }
                case ControlMessage.SET_IS_MANAGER -> {
                    client.manager(ControlMessage.readInt(request, ControlMessage.DATA) != 0);
                    desk.echo(request, source);
                }
                default -> desk.question(request, source, client);
            }
        }

        private void onConnect(MemorySegment request, InetSocketAddress source) {
            ManagedPort port = names.find(ControlMessage.node(request));
            int dataPort = ControlMessage.readInt(request, ControlMessage.CONNECT_ID);
            boolean isManager = ControlMessage.readInt(request, ControlMessage.CONNECT_IS_MANAGER) != 0;
            if (port == null || dataPort <= 0 || dataPort > PORT_MAX || (isManager && hasManager(port))) {
                desk.error(request, source);
                return;
            }
            Client client = connect(port, source, new InetSocketAddress(source.getAddress(), dataPort));
            if (client == null) {
                desk.error(request, source);
                return;
            }
            client.manager(isManager);
            desk.connected(request, source, client);
        }

        private boolean hasManager(ManagedPort port) {
            Client manager = clients.managerAt(port);
            if (manager != null) {
                removeIfGone(manager);
            }
            return clients.managerAt(port) != null;
        }

        @Override
        public void onData(int slot, MemorySegment datagram, int length) {
            if (!datagram.equals(arrival)) {
                arrival = datagram;
                mad = datagram.asSlice(DataMessage.MAD, Mad.LENGTH);
            }
            Client client = clients.find(slot);
            if (client == null || length != DataMessage.LENGTH || !MadWords.isWellFormed(mad)) {
                tally.refusedMads++;
                return;
            }
            client.seen(nowNs);
            tally.requests++;
            client.send(
                    mad,
                    DataMessage.targetLid(datagram),
                    DataMessage.targetQueuePair(datagram),
                    DataMessage.sourceQueuePair(datagram));
        }

        @Override
        public void onGone(int slot) {
            Client client = clients.find(slot);
            if (client != null) {
                tally.vanished++;
                remove(client);
            }
        }
    }
}
