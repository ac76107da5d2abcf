package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamUser;
import org.verbena.trace.MetricSnapshot;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.WorkRequest;

/** Peers that send slowly, or nothing, to a listener: they get no more than the time of the negotiation, and others go on meanwhile. */
final class SlowPeerTest {
    private static final int PORT = 7174;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String REQUEST = "MPA ID Req Frame";
    /** Flags, revision 1, and 256 bytes of private data, of which a few come. */
    private static final String REST = "\0\1\1\0abcdefgh";

    /** A peer that writes when the test says so. */
    private static final class RawPeer implements StreamUser {
        final ByteStream stream;
        boolean ended;

        RawPeer(StreamSites sites, Listener to, int host) {
            stream = sites.streams
                    .open(Endpoint.of("192.0.2." + host, 0).address())
                    .connect(Endpoint.of(to.address()), 0, this);
        }

        void say(String text) {
            stream.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        }

        boolean isEnded() {
            ended |= stream.read(ByteBuffer.allocate(100)) == ByteStream.END;
            return ended;
        }

        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}
    }

    /** Of the adapter that listens. */
    private static long metric(StreamSites sites, String name) {
        return metrics(sites).total("streams", name);
    }

    private static MetricSnapshot metrics(StreamSites sites) {
        return sites.metrics.snapshot().with("adapter", sites.b.adapter.name());
    }

    private static long timedOut(StreamSites sites) {
        return metrics(sites).with("outcome", "timed_out").total("streams", "negotiations");
    }

    private static void sendOnce(StreamSites sites, QueuePair from, QueuePair to) {
        assertTrue(to.post(new WorkRequest.Receive(1, LocalSegment.of(sites.b.region, 0, 8))));
        assertTrue(from.post(new WorkRequest.Send(2, LocalSegment.of(sites.a.region, 0, 8))));
        List<Completion> done = new ArrayList<>();
        sites.until(() -> {
            Completion next = sites.b.completions.poll();
            if (next != null) {
                done.add(next);
            }
            return !done.isEmpty();
        });
        assertEquals(Operation.RECEIVE, done.getFirst().operation());
        assertEquals(Status.SUCCESS, done.getFirst().status());
    }

    @Test
    void aRequestOfAByteASecondEndsAtTheLimitAndAnotherConnectionGoesOn() {
        try (StreamSites sites = new StreamSites()) {
            QueuePair near = sites.a.queuePair();
            QueuePair far = sites.b.queuePair();
            try (Listener listener = Listener.open(
                    sites.b.adapter,
                    sites.b.at(PORT),
                    ListenerOptions.DEFAULT,
                    request -> request.accept(far, AcceptOptions.DEFAULT))) {
                RawPeer slow = new RawPeer(sites, listener, 3);
                slow.say(REQUEST); // its kind is known; the rest of the frame comes slowly
                sites.pass(SECOND_NS / 2);
                sites.get(Connector.connectAsync(sites.a.adapter, listener.address(), near, ConnectorOptions.DEFAULT));
                for (int second = 1; second < 9; second++) {
                    slow.say(REST.substring(second - 1, second));
                    sites.pass(SECOND_NS);
                    assertFalse(slow.isEnded(), "after " + second + " s");
                    sendOnce(sites, near, far);
                }
                sites.pass(2 * SECOND_NS);
                assertTrue(slow.isEnded(), "the limit is 10 s in all, whatever came");
                assertEquals(1, timedOut(sites));
                sendOnce(sites, near, far);
            }
        }
    }

    @Test
    void aPeerThatNeverSendsIsClosedAtTheLimit() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            RawPeer silent = new RawPeer(sites, listener, 3);
            sites.pass(9 * SECOND_NS);
            assertFalse(silent.isEnded());
            sites.pass(2 * SECOND_NS);
            assertTrue(silent.isEnded());
        }
    }

    @Test
    void aSendThatWaitsForAReceiveIsCountedWithItsTime() {
        try (StreamSites sites = new StreamSites()) {
            QueuePair near = sites.a.queuePair();
            QueuePair far = sites.b.queuePair();
            try (Listener listener = Listener.open(
                    sites.b.adapter,
                    sites.b.at(PORT),
                    ListenerOptions.DEFAULT,
                    request -> request.accept(far, AcceptOptions.DEFAULT))) {
                sites.get(Connector.connectAsync(sites.a.adapter, listener.address(), near, ConnectorOptions.DEFAULT));
                assertTrue(near.post(new WorkRequest.Send(1, LocalSegment.of(sites.a.region, 0, 8))));
                sites.pass(SECOND_NS);
                assertEquals(1, metric(sites, "paused"));
                assertEquals(1, metric(sites, "receive_waits"));
                assertTrue(far.post(new WorkRequest.Receive(1, LocalSegment.of(sites.b.region, 0, 8))));
                sites.until(() -> sites.b.completions.poll() != null);
                assertEquals(0, metric(sites, "paused"));
                assertEquals(1, metric(sites, "receive_waits"));
                long waitedNs = metric(sites, "receive_wait");
                assertTrue(waitedNs >= SECOND_NS && waitedNs < 2 * SECOND_NS, waitedNs + " ns");
                assertEquals(0, metric(sites, "page_waits"));
            }
        }
    }
}
