package org.verbena.services.push;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.Right;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.link.Endpoint;
import org.verbena.memory.Region;
import org.verbena.services.push.wire.Hello;
import org.verbena.services.push.wire.HelloReply;
import org.verbena.services.push.wire.Messages;
import org.verbena.services.push.wire.Refusal;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.PreparedTransfer;
import org.verbena.verbs.QueuePair;

/** Connects the channels of a service connection, from either end. */
final class Establishment {
    /** Times that a reliable channel repeats a packet before it gives up: after about 2 s, within the usual limit of silence. */
    private static final ConnectionOptions RELIABLE = ConnectionOptions.DEFAULT.withRetries(7, Duration.ofMillis(268));

    private final MessagingLayer layer;
    private final ServiceConnection connection;
    private final InetSocketAddress peer;
    private final long cookie;
    private final int qkey;
    private @Nullable Connection control;
    private @Nullable Connection data;
    private @Nullable AddressHandle address;
    private int peerQueuePair;
    private int peerQkey;
    private int peerPort;
    private int datagramPort;
    private boolean controlDone;
    private boolean dataDone;
    private boolean done;

    Establishment(MessagingLayer layer, ServiceConnection connection, InetSocketAddress peer, long cookie) {
        this.layer = layer;
        this.connection = connection;
        this.peer = peer;
        this.cookie = cookie;
        this.qkey = (int) (cookie >>> 16) & 0x7fff_ffff;
    }

    InetSocketAddress peer() {
        return peer;
    }

    long cookie() {
        return cookie;
    }

    /** Whether all channels are connected. */
    boolean isDone() {
        return done;
    }

    private ServiceOptions options() {
        return connection.options();
    }

    private boolean hasDatagrams() {
        return options().dataChannel() == DataChannel.SEND && !options().data().connected();
    }

    private boolean connectsData() {
        return options().dataChannel() != DataChannel.NONE && options().data().connected();
    }

    /** Posts the receives: the first message of the peer finds one. */
    void prepare() {
        connection.control().channel().queuePair().initialize(Set.of());
        connection.control().channel().postReceives();
        Channel channel = connection.data().channel();
        if (channel == null) {
            return;
        }
        if (hasDatagrams()) {
            channel.queuePair().initialize();
            channel.postReceives();
            channel.queuePair().activate(DatagramOptions.of(qkey));
        } else {
            channel.queuePair().initialize(dataRights());
            channel.postReceives();
        }
    }

    private EnumSet<Right> dataRights() {
        EnumSet<Right> rights = EnumSet.noneOf(Right.class);
        if (options().dataChannel() == DataChannel.RDMA) {
            if (connection.isPushed()) {
                rights.add(Right.REMOTE_WRITE);
            }
            if (!connection.pushes()) {
                rights.add(Right.REMOTE_READ);
            }
        }
        return rights;
    }

    private ConnectionOptions connectionOptions(boolean ofData) {
        ConnectionOptions how = RELIABLE.withMtu(connection.adapter().mtuMax())
                .withRemoteRights(ofData ? dataRights() : EnumSet.noneOf(Right.class));
        return ofData ? how.withReads(Pulls.READS_MAX, Pulls.READS_MAX) : how;
    }

    private QueuePair queuePair(boolean ofData) {
        Channel channel =
                ofData ? connection.data().channel() : connection.control().channel();
        assert channel != null : "a connected data channel has one";
        return channel.queuePair();
    }

    // --- the end that connects

    /** Asks the peer for the control channel. */
    void connect(int udpPort) {
        peerPort = udpPort;
        ask(false);
    }

    private void ask(boolean ofData) {
        ConnectorOptions how = ConnectorOptions.DEFAULT
                .withConnection(connectionOptions(ofData))
                .withPrivateData(hello(ofData).privateData())
                .withTimeLimit(options().connectLimit())
                .withPeerPort(peerPort);
        try {
            var _ = Connector.connectAsync(connection.adapter(), peer, queuePair(ofData), how)
                    .whenComplete((made, failure) -> layer.submit(() -> {
                        if (made != null) {
                            onAnswered(made, ofData);
                        } else {
                            onFailed(failure);
                        }
                    }));
        } catch (RuntimeException e) {
            layer.submit(() -> onFailed(e));
        }
    }

    private Hello hello(boolean ofData) {
        ServiceOptions options = options();
        return new Hello(
                Messages.VERSION_LOWEST,
                Messages.VERSION_HIGHEST,
                ofData ? Hello.DATA : Hello.CONTROL,
                options.model().ordinal(),
                options.dataChannel().ordinal(),
                attributes(options),
                options.messageBytesMax(),
                cookie,
                datagramQueuePair(),
                hasDatagrams() ? qkey : 0,
                datagramPort());
    }

    private int datagramQueuePair() {
        return hasDatagrams() ? queuePair(true).number() : 0;
    }

    private int datagramPort() {
        return hasDatagrams() ? connection.adapter().endpoint().port() : 0;
    }

    private static int attributes(ServiceOptions options) {
        return (options.control().acknowledged() ? Hello.CONTROL_ACKNOWLEDGED : 0)
                | (options.control().connected() ? Hello.CONTROL_CONNECTED : 0)
                | (options.data().acknowledged() ? Hello.DATA_ACKNOWLEDGED : 0)
                | (options.data().connected() ? Hello.DATA_CONNECTED : 0);
    }

    private void onAnswered(Connection made, boolean ofData) {
        if (connection.isClosed()) {
            made.close();
            return;
        }
        PrivateData answer = made.privateData();
        Refusal refusal = HelloReply.judge(answer);
        if (refusal == null && HelloReply.read(answer).cookie() != cookie) {
            refusal = Refusal.UNKNOWN_COOKIE;
        }
        if (refusal != null) {
            made.close();
            connection.refuse(refusal, "a hello reply: " + refusal.reason());
            connection.abort(
                    "the peer at " + peer + " answered with private data that are refused: " + refusal.reason());
            return;
        }
        HelloReply reply = HelloReply.read(answer);
        if (ofData) {
            onDataMade(made);
            return;
        }
        onControlMade(made);
        connection.onAgreed(reply.version(), reply.messageBytesMax());
        peerQueuePair = reply.queuePair();
        peerQkey = reply.qkey();
        datagramPort = reply.port();
        if (connectsData()) {
            ask(true);
        } else {
            finish();
        }
    }

    private void onFailed(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        connection.abort("no connection with " + peer + ": " + (cause == null ? "unknown" : cause.getMessage()));
    }

    // --- the end that accepts

    /** Accepts the control channel. */
    void acceptControl(ConnectionRequest request, Hello hello, int version) {
        connection.onAgreed(version, hello.messageBytesMax());
        peerQueuePair = hello.queuePair();
        peerQkey = hello.qkey();
        datagramPort = hello.port();
        Connection made = accept(request, version, false);
        watchAccepted(made, false);
    }

    /** Accepts the data channel. */
    void acceptData(ConnectionRequest request) {
        watchAccepted(accept(request, connection.version(), true), true);
    }

    /** Whether a request for the data channel of this connection is expected, from this address. */
    boolean expectsData(InetAddress from) {
        return connectsData() && data == null && from.equals(peer.getAddress());
    }

    private Connection accept(ConnectionRequest request, int version, boolean ofData) {
        HelloReply reply = new HelloReply(
                version,
                options().messageBytesMax(),
                cookie,
                datagramQueuePair(),
                hasDatagrams() ? qkey : 0,
                datagramPort());
        Connection made = request.accept(
                queuePair(ofData),
                AcceptOptions.DEFAULT.withConnection(connectionOptions(ofData)).withPrivateData(reply.privateData()));
        if (ofData) {
            data = made;
        } else {
            control = made;
        }
        return made;
    }

    private void watchAccepted(Connection made, boolean ofData) {
        var _ = made.whenEstablished()
                .whenComplete((established, failure) -> layer.submit(() -> {
                    if (connection.isClosed()) {
                        return;
                    }
                    if (established == null) {
                        onFailed(failure);
                    } else if (ofData) {
                        onDataMade(made);
                    } else {
                        onControlMade(made);
                        if (!connectsData()) {
                            finish();
                        }
                    }
                }));
    }

    // --- both ends

    private void onControlMade(Connection made) {
        control = made;
        controlDone = true;
        watchEnd(made);
        if (dataDone) {
            finish();
        }
    }

    private void onDataMade(Connection made) {
        data = made;
        dataDone = true;
        watchEnd(made);
        if (controlDone) {
            finish();
        }
    }

    private void watchEnd(Connection made) {
        var _ = made.whenDisconnected()
                .whenComplete((_, _) -> layer.submit(() -> {
                    layer.takeAllCompletions(); // what arrived before
                    connection.onPeerEnded();
                }));
    }

    private void finish() {
        if (!done) {
            done = true;
            connection.onConnected();
        }
    }

    /** The send of data: a datagram to the peer's queue pair, or a send on a connected channel. */
    PreparedTransfer prepareSend(Region region) {
        if (!hasDatagrams()) {
            return PreparedTransfer.send(region);
        }
        AddressHandle to = connection
                .adapter()
                .createAddressHandle(connection.domain(), new Endpoint(peer.getAddress(), datagramPort));
        address = to;
        return PreparedTransfer.datagram(region, to, peerQueuePair, peerQkey);
    }

    void close() {
        if (control != null) {
            control.close();
        }
        if (data != null) {
            data.close();
        }
    }

    /** After the queue pairs are closed. */
    void closeAddress() {
        if (address != null) {
            address.close();
        }
    }
}
