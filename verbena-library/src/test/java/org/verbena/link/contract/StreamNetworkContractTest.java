package org.verbena.link.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;

/** What every network of byte streams keeps to. A subclass per kind of network opens two that reach each other. */
@Timeout(
        value = 60,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a sleep in the system does not end with an interrupt
public abstract class StreamNetworkContractTest {
    /** Polls after which an event that is there has been told. */
    private static final int POLLS = 200;

    private static final int BACKLOG = 1024;

    private StreamNetwork left;
    private StreamNetwork right;
    private long nowNs;
    private final List<ByteStream> accepted = new ArrayList<>();
    private StreamListener listener;

    /** Opens the left network, then the right one. */
    protected abstract StreamNetwork open();

    /** Called after polls that told nothing, if an event is to come. */
    protected void rest() {}

    /** Whether streams without an event are told as well. */
    protected boolean tellsInVain() {
        return false;
    }

    @BeforeEach
    void openBoth() {
        left = open();
        right = open();
        listener = listen();
    }

    @AfterEach
    void closeBoth() {
        left.close();
        right.close();
        left.close();
    }

    private StreamListener listen() {
        return right.listen(new Endpoint(address(right), 0), BACKLOG, accepted::add);
    }

    private static InetAddress address(StreamNetwork network) {
        return network.locals().getFirst();
    }

    private int poll() {
        nowNs += 1000;
        return left.poll(nowNs) + right.poll(nowNs);
    }

    private void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertFalse(Thread.currentThread().isInterrupted(), "the time is over");
            if (poll() == 0 && !condition.getAsBoolean()) {
                rest();
            }
        }
    }

    private void pollOften() {
        for (int i = 0; i < POLLS; i++) {
            poll();
        }
    }

    private ByteStream connect(StreamUser user) {
        return left.connect(listener.local(), 0, user);
    }

    /** A stream that both sides have. The accepted end is the last of its list. */
    private ByteStream connected() {
        int before = accepted.size();
        StreamLog log = new StreamLog();
        ByteStream stream = connect(log);
        until(() -> log.connected == 1 && accepted.size() == before + 1);
        return stream;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Writes all of the bytes, as the network takes them. */
    private static final class Writer implements StreamUser {
        private final ByteStream stream;
        private final ByteBuffer bytes;

        Writer(ByteStream stream, byte[] bytes) {
            this.stream = stream;
            this.bytes = direct(bytes);
            stream.user(this);
            stream.wants(false, true);
        }

        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {
            assertNotEquals(ByteStream.END, stream.write(bytes));
            stream.wants(false, bytes.hasRemaining());
        }
    }

    @Test
    void anOpenStreamIsToldOnceAndBothEndsKnowEachOther() {
        StreamLog log = new StreamLog();
        ByteStream stream = connect(log);
        assertEquals(0, log.told(), "told by a later poll");
        until(() -> log.connected > 0 && !accepted.isEmpty());
        pollOften();
        assertEquals(1, log.told());
        ByteStream peer = accepted.getFirst();
        assertEquals(listener.local(), stream.remote());
        assertEquals(listener.local(), peer.local());
        assertEquals(stream.local(), peer.remote());
        assertEquals(address(left), stream.local().address());
        assertTrue(stream.local().port() > 0);
        assertTrue(stream.packetMax() >= 536, "packet of " + stream.packetMax());
    }

    @Test
    void aPortWithoutAListenerRefuses() {
        Endpoint nowhere = listener.local();
        listener.close();
        listener.close();
        StreamLog log = new StreamLog();
        ByteStream stream = left.connect(nowhere, 0, log);
        assertEquals(0, log.told(), "told by a later poll");
        until(() -> log.failure != null);
        pollOften();
        assertEquals(1, log.told());
        assertEquals(StreamFailure.REFUSED, log.failure);
        assertTrue(log.detail.contains(nowhere.toString()), log.detail);
        assertEquals(ByteStream.END, stream.read(ByteBuffer.allocateDirect(1)));
        assertEquals(ByteStream.END, stream.write(ByteBuffer.allocateDirect(1)));
    }

    @Test
    void aStreamThatIsClosedWhileItIsOpenedIsToldNothing() {
        StreamLog log = new StreamLog();
        connect(log).close();
        pollOften();
        assertEquals(0, log.told());
    }

    @Test
    void bytesTravelBothWaysInOrder() {
        ByteStream stream = connected();
        ByteStream peer = accepted.getFirst();
        byte[] there = random(3_000_000);
        byte[] back = random(2_000_000);
        StreamLog log = new StreamLog();
        new Writer(stream, there);
        log.reads(peer);
        until(() -> log.arrived().length == there.length);
        assertArrayEquals(there, log.arrived());
        StreamLog own = new StreamLog();
        new Writer(peer, back);
        own.reads(stream);
        until(() -> own.arrived().length == back.length);
        assertArrayEquals(back, own.arrived());
    }

    @Test
    void bytesOfSeveralBuffersTravelInOrder() {
        ByteStream stream = connected();
        byte[] sent = random(2_000_000);
        ByteBuffer[] buffers = {
            direct(Arrays.copyOfRange(sent, 0, 100)),
            direct(Arrays.copyOfRange(sent, 100, 1_500_000)),
            direct(Arrays.copyOfRange(sent, 1_500_000, sent.length)),
            direct(new byte[] {1})
        };
        StreamLog log = new StreamLog().reads(accepted.getFirst());
        int[] written = {0};
        until(() -> {
            int first = 0;
            while (first < 3 && !buffers[first].hasRemaining()) {
                first++;
            }
            ByteBuffer[] left = Arrays.copyOfRange(buffers, first, 3);
            written[0] += left.length == 0 ? 0 : Math.max(0, stream.write(left, left.length));
            return written[0] == sent.length;
        });
        until(() -> log.arrived().length == sent.length);
        assertArrayEquals(sent, log.arrived());
        assertEquals(1, buffers[3].remaining());
        stream.close();
        assertEquals(ByteStream.END, stream.write(new ByteBuffer[] {buffers[3]}, 1));
    }

    @Test
    void aPeerThatDoesNotReadStopsTheSenderUntilItReads() {
        ByteStream stream = connected();
        ByteStream peer = accepted.getFirst();
        byte[] piece = random(1 << 16);
        ByteBuffer bytes = direct(piece);
        long taken = 0;
        for (int refusals = 0; refusals < POLLS; ) { // the system may find more room for some time
            int count = stream.write(bytes.rewind());
            assertTrue(count >= 0);
            taken += count;
            refusals = count == 0 ? refusals + 1 : 0;
            assertTrue(taken < 1 << 28, "a peer that does not read stops the sender");
            poll();
        }
        StreamLog sender = new StreamLog();
        stream.user(sender);
        stream.wants(false, true);
        pollOften();
        int before = tellsInVain() ? 0 : sender.writable;
        StreamLog reader = new StreamLog().reads(peer);
        until(() -> sender.writable > before);
        long all = taken;
        stream.wants(false, false);
        until(() -> reader.arrived().length == all);
    }

    @Test
    void aSideThatHasEndedItsOutputReadsOn() {
        ByteStream stream = connected();
        ByteStream peer = accepted.getFirst();
        StreamLog there = new StreamLog().reads(peer);
        assertEquals(5, stream.write(direct(random(5))));
        stream.endOutput();
        assertEquals(ByteStream.END, stream.write(direct(random(5))));
        until(() -> there.ended);
        assertArrayEquals(random(5), there.arrived());
        StreamLog here = new StreamLog().reads(stream);
        assertEquals(7, peer.write(direct(random(7))));
        until(() -> here.arrived().length == 7);
        assertFalse(here.ended);
        peer.endOutput();
        until(() -> here.ended);
    }

    @Test
    void aStreamThatIsClosedWithUnreadBytesEndsThePeer() {
        ByteStream stream = connected();
        ByteStream peer = accepted.getFirst();
        assertEquals(9, peer.write(direct(random(9))));
        StreamLog log = new StreamLog();
        stream.user(log);
        stream.wants(true, false);
        until(() -> log.readable > 0);
        stream.close();
        stream.close();
        StreamLog there = new StreamLog().reads(peer);
        until(() -> there.ended);
        assertEquals(0, there.arrived().length);
        assertEquals(ByteStream.END, stream.read(ByteBuffer.allocateDirect(9)));
        assertEquals(ByteStream.END, stream.write(ByteBuffer.allocateDirect(9)));
        until(() -> peer.write(direct(random(1))) == ByteStream.END);
    }

    @Test
    void readinessIsToldAgainWhileItLasts() {
        ByteStream stream = connected();
        StreamLog log = new StreamLog();
        accepted.getFirst().user(log);
        accepted.getFirst().wants(true, false);
        stream.write(direct(random(1)));
        until(() -> log.readable > 2 * POLLS);
    }

    @Test
    void anEventThatIsNotWantedIsNotTold() {
        ByteStream stream = connected();
        ByteStream peer = accepted.getFirst();
        StreamLog log = new StreamLog();
        peer.user(log);
        stream.write(direct(random(1)));
        pollOften();
        assertEquals(0, log.told(), "a new stream wants nothing");
        peer.wants(true, false);
        until(() -> log.readable > 0);
        peer.wants(false, false);
        int before = log.told();
        pollOften();
        assertEquals(before, log.told());
        peer.wants(false, true);
        until(() -> log.writable > 0);
        assertEquals(before, log.readable);
        peer.close();
        int last = log.told();
        pollOften();
        assertEquals(last, log.told(), "told after it was closed");
    }

    @Test
    void theUserNamedLastIsTold() {
        ByteStream stream = connected();
        StreamLog first = new StreamLog().reads(accepted.getFirst());
        StreamLog second = new StreamLog().reads(accepted.getFirst());
        stream.write(direct(random(3)));
        until(() -> second.arrived().length == 3);
        assertEquals(0, first.told());
    }

    @Test
    void aListenerThatPausesLeavesStreamsToTheSystem() {
        listener.pause();
        StreamLog log = new StreamLog();
        connect(log);
        until(() -> log.connected == 1);
        pollOften();
        assertEquals(List.of(), accepted);
        listener.resume();
        until(() -> accepted.size() == 1);
    }

    @Test
    void aListenerThatIsClosedLeavesItsStreams() {
        ByteStream stream = connected();
        listener.close();
        StreamLog there = new StreamLog().reads(accepted.getFirst());
        stream.write(direct(random(4)));
        until(() -> there.arrived().length == 4);
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        String message = String.valueOf(
                assertThrows(LinkException.class, () -> right.listen(listener.local(), BACKLOG, accepted::add))
                        .getMessage());
        assertTrue(message.contains(String.valueOf(listener.local().port())), message);
    }

    @Test
    void anAddressOfAnotherSideIsRefused() {
        Endpoint foreign = Endpoint.of("192.0.2.1", 0);
        assertThrows(LinkException.class, () -> right.listen(foreign, BACKLOG, accepted::add));
    }

    @Test
    void aListenerAtTheWildcardTakesStreams() {
        String any = address(right).getAddress().length == 4 ? "0.0.0.0" : "::";
        StreamListener wide = right.listen(Endpoint.of(any, 0), BACKLOG, accepted::add);
        StreamLog log = new StreamLog();
        left.connect(new Endpoint(address(right), wide.local().port()), 0, log);
        until(() -> log.connected == 1 && accepted.size() == 1);
    }

    @Test
    void aStreamBeginsAtTheLocalPortThatIsGiven() {
        StreamListener other = left.listen(new Endpoint(address(left), 0), 1, accepted::add);
        int port = other.local().port();
        other.close();
        StreamLog log = new StreamLog();
        ByteStream stream = left.connect(listener.local(), port, log);
        until(() -> log.connected == 1 && accepted.size() == 1);
        assertEquals(port, stream.local().port());
        assertEquals(port, accepted.getFirst().remote().port());
    }

    @Test
    void amongAThousandStreamsTheOneWithBytesIsTold() {
        int many = 1000;
        List<ByteStream> streams = new ArrayList<>();
        List<StreamLog> logs = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            streams.add(connected());
            logs.add(new StreamLog().reads(accepted.getLast()));
        }
        pollOften();
        int before = logs.stream().mapToInt(StreamLog::told).sum();
        streams.get(678).write(direct(random(10)));
        StreamLog one = logs.get(678);
        int own = one.told();
        until(() -> one.arrived().length == 10);
        int others = logs.stream().mapToInt(StreamLog::told).sum() - before - (one.told() - own);
        assertTrue(tellsInVain() || others == 0, others + " others were told");
    }

    @Test
    void usersMayCloseAndOpenStreamsWhileTheyAreTold() {
        List<ByteStream> ends = new ArrayList<>();
        List<ByteStream> streams = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            streams.add(connected());
            ends.add(accepted.getLast());
        }
        StreamLog late = new StreamLog();
        int[] told = {0};
        ends.forEach(end -> {
            end.user(new StreamUser() {
                @Override
                public void onReadable() {
                    if (told[0]++ == 0) {
                        connect(late);
                    }
                    ends.forEach(ByteStream::close);
                }

                @Override
                public void onWritable() {}
            });
            end.wants(true, false);
        });
        streams.forEach(stream -> stream.write(direct(random(1))));
        until(() -> late.connected == 1);
        pollOften();
        assertEquals(1, told[0], "the first one has closed all others");
    }

    @Test
    void aNetworkThatIsClosedEndsItsStreams() {
        ByteStream stream = connected();
        StreamLog log = new StreamLog().reads(stream);
        right.close();
        until(() -> log.ended);
        assertEquals(0, right.poll(nowNs));
        StreamLog late = new StreamLog();
        left.connect(listener.local(), 0, late);
        until(() -> late.failure != null);
    }
}
