package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;

/** An adapter with two addresses of one family: a connection is between two addresses, and no others. */
final class SeveralAddressesTest {
    private static final Endpoint FIRST = Endpoint.of("10.1.0.1", Endpoint.ROCE_PORT);
    private static final Endpoint SECOND = Endpoint.of("10.1.0.2", Endpoint.ROCE_PORT);

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork();
    private final Adapter two = open(network.open(List.of(FIRST, SECOND)));
    private final Adapter one = open(network.open());

    private Adapter open(Link link) {
        return Adapter.open(
                link,
                clock,
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(3));
    }

    @AfterEach
    void close() {
        two.close();
        one.close();
    }

    private void run() {
        for (int turn = 0; turn < 10; turn++) {
            two.work(clock.nowNs());
            one.work(clock.nowNs());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC", "UC"})
    void aConnectionLeavesFromTheAddressItsRouteNames(Service service) {
        Node a = new Node(two, 4096, 16, service);
        Node b = new Node(one, 4096, 16, service);
        Route fromSecond = Route.DEFAULT.withSource(SECOND);
        a.queuePair.connect(b.queuePair.address(), ConnectionOptions.DEFAULT.withRoute(fromSecond));
        b.queuePair.connect(a.queuePair.address(SECOND), ConnectionOptions.DEFAULT);
        b.queuePair.post(new WorkRequest.Receive(1, b.segment(0, 100)));
        a.queuePair.post(new WorkRequest.Receive(2, a.segment(0, 100)));
        a.queuePair.post(new WorkRequest.Send(3, a.segment(0, 10)));
        b.queuePair.post(new WorkRequest.Send(4, b.segment(0, 10)));
        run();
        assertEquals(
                List.of(2L, 3L), a.drain().stream().map(Completion::id).sorted().toList());
        assertEquals(
                List.of(1L, 4L), b.drain().stream().map(Completion::id).sorted().toList());
        assertEquals(0, one.counters().value(Counter.DROPPED_WRONG_SOURCE));
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC", "UC"})
    void whatComesToAnotherAddressIsNotOfTheConnection(Service service) {
        Node a = new Node(two, 4096, 16, service);
        Node b = new Node(one, 4096, 16, service);
        a.queuePair.connect(b.queuePair.address(), ConnectionOptions.DEFAULT);
        b.queuePair.connect(a.queuePair.address(SECOND), ConnectionOptions.DEFAULT);
        a.queuePair.post(new WorkRequest.Receive(2, a.segment(0, 100)));
        b.queuePair.post(new WorkRequest.Send(4, b.segment(0, 10)));
        run();
        assertEquals(List.of(), a.drain());
        assertEquals(1, two.counters().value(Counter.DROPPED_WRONG_SOURCE));
        LinkException error = assertThrows(
                LinkException.class,
                () -> two.createAddressHandle(a.domain, one.endpoint(), Route.DEFAULT.withSource(one.endpoint())));
        assertTrue(String.valueOf(error.getMessage()).startsWith("source 10.0.0.1:4791 found"), error::getMessage);
    }
}
