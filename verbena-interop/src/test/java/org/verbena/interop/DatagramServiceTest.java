package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.PrivateData;
import org.verbena.connect.ConnectFailedException;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.DatagramListener;
import org.verbena.connect.DatagramPeer;
import org.verbena.interop.exercise.DatagramEnd;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.link.Endpoint;

/** Queue pairs for datagrams that are found by a port's number, with rdma-core's {@code udaddy} at the other end. */
@ExtendWith(KernelPeer.class)
final class DatagramServiceTest {
    private static final Family FAMILY = Family.IPV4;
    private static final int COUNT = 10;

    /** It can't be told another. */
    private static final int PORT = 7174;

    @ParameterizedTest
    @ValueSource(ints = {1, 4096})
    void weAsk(int size, PeerVm kernel) throws InterruptedException {
        PeerJob server = kernel.begin("udaddy -C " + COUNT + " -S " + size).isRunning("udaddy");
        try (DatagramEnd end = new DatagramEnd(FAMILY.host(), COUNT)) {
            DatagramPeer peer = Connector.resolve(end.adapter(), at(kernel, PORT), ConnectorOptions.DEFAULT);
            assertEquals(DatagramPeer.QKEY, peer.qkey());
            end.send(COUNT, size, peer.endpoint(), peer.queuePair());
            assertEquals(peer.queuePair(), end.receive(COUNT, size, kernel.address(FAMILY), FAMILY.host()));
        }
        server.end().succeeds();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096})
    void weServe(int size, PeerVm kernel) {
        try (DatagramEnd end = new DatagramEnd(FAMILY.host(), COUNT);
                DatagramListener _ = DatagramListener.open(
                        end.adapter(),
                        new InetSocketAddress(FAMILY.hostAddress(), PORT),
                        end.queuePair().number(),
                        DatagramPeer.QKEY,
                        PrivateData.NONE)) {
            PeerJob client = kernel.begin("udaddy -s " + FAMILY.host() + " -C " + COUNT + " -S " + size);
            int number = end.receive(COUNT, size, kernel.address(FAMILY), FAMILY.host());
            end.send(COUNT, size, Endpoint.of(kernel.address(FAMILY), Endpoint.ROCE_PORT), number);
            client.end().succeeds();
        }
    }

    @Test
    void nobodyServesAPortWithoutAService(PeerVm kernel) {
        try (DatagramEnd end = new DatagramEnd(FAMILY.host(), 0)) {
            ConnectFailedException refused = assertThrows(
                    ConnectFailedException.class,
                    () -> Connector.resolve(end.adapter(), at(kernel, PORT + 1), ConnectorOptions.DEFAULT));
            assertEquals(ConnectFailedException.Kind.REFUSED, refused.kind(), refused::getMessage);
        }
    }

    private static InetSocketAddress at(PeerVm kernel, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(kernel.address(FAMILY)), port);
    }
}
