package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RnrTimer;
import org.verbena.connect.protocol.Acceptor;
import org.verbena.connect.protocol.Conversation;
import org.verbena.connect.protocol.Conversations;
import org.verbena.connect.protocol.DatagramService;
import org.verbena.connect.protocol.Party;
import org.verbena.connect.protocol.Resolution;
import org.verbena.connect.protocol.Surroundings;
import org.verbena.link.Endpoint;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.mad.CapturedMad;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.Drep;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.MadMessage;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/**
 * Every conversation that two Linux kernels had in the captures, with this communication manager in the place of either:
 * given the same wishes, ids and numbers, it sends the same messages byte for byte.
 */
final class LinuxConversationsTest {
    static Stream<String> captures() {
        return CapturedMad.captures().stream()
                .filter(capture -> !CapturedMad.of(capture).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("captures")
    void asClientWeSendTheMessagesOfLinux(String capture) {
        List<CapturedMad> mads = CapturedMad.of(capture);
        new Replay(mads, mads.getFirst().source()).run();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void asServerWeSendTheMessagesOfLinux(String capture) {
        List<CapturedMad> mads = CapturedMad.of(capture);
        new Replay(mads, mads.getFirst().target()).run();
    }

    /** One capture, with us in the place of one address. */
    private static final class Replay implements Surroundings, Acceptor {
        private final List<CapturedMad> mads;
        private final Endpoint self;
        private final int own;
        private final TimerWheel wheel = new TimerWheel(0);
        private final ArrayDeque<Integer> ids = new ArrayDeque<>();
        private final ArrayDeque<MemorySegment> sent = new ArrayDeque<>();
        private final Map<Integer, Conversation> byRemoteId = new HashMap<>();
        private final Map<Integer, Ending> endings = new HashMap<>();
        private final Conversations conversations;
        private boolean crossed;

        Replay(List<CapturedMad> mads, int own) {
            this.mads = mads;
            this.own = own;
            this.self = endpoint(own);
            ids.add(upperHalfOfTransactionIds());
            this.conversations = new Conversations(this);
        }

        private int upperHalfOfTransactionIds() {
            return mads.stream()
                    .filter(each -> each.source() == own && begins(each.message()))
                    .mapToInt(each -> (int) (each.header().transactionId() >>> 32))
                    .findFirst()
                    .orElse(0);
        }

        private static boolean begins(CmMessage message) {
            return message instanceof Req || message instanceof Dreq || message instanceof SidrReq;
        }

        private static Endpoint endpoint(int address) {
            return Endpoint.of(0, 0xffffL << 32 | (address & 0xffff_ffffL), Endpoint.ROCE_PORT);
        }

        void run() {
            int ours = 0;
            for (CapturedMad each : inOrderOfHearing()) {
                if (each.source() == own) {
                    say(each);
                    expect(each);
                    ours++;
                } else {
                    hear(each);
                }
            }
            assertTrue(ours > 0);
            // Both asked for the end: Linux leaves the second answer out, we do not.
            sent.forEach(rest -> assertTrue(CmMessage.read(rest, 0) instanceof Drep, "nothing else is said"));
            wheel.expire(1_000_000_000);
            assertEquals(0, conversations.count(), "timewait is over");
        }

        /** A request for the end that crossed our own on the way is heard after ours is said. */
        private List<CapturedMad> inOrderOfHearing() {
            List<CapturedMad> order = new ArrayList<>(mads);
            for (int i = 0; i + 1 < order.size(); i++) {
                boolean both = order.get(i).message() instanceof Dreq
                        && order.get(i + 1).message() instanceof Dreq;
                if (both) {
                    crossed = true;
                    if (order.get(i + 1).source() == own) {
                        Collections.swap(order, i, i + 1);
                    }
                    break;
                }
            }
            return order;
        }

        private void hear(CapturedMad each) {
            switch (each.message()) {
                case Req req -> {
                    ids.add(replyTo(req).localId());
                    conversations.listen(req.serviceId(), this);
                }
                case SidrReq req -> {
                    SidrRep rep = (SidrRep) mads.get(1).message();
                    conversations.serve(
                            req.serviceId(), new DatagramService(rep.queuePair(), rep.qkey(), PrivateData.NONE));
                }
                default -> {}
            }
            conversations.receive(endpoint(each.source()), each.mad());
        }

        private Rep replyTo(Req req) {
            return mads.stream()
                    .map(CapturedMad::message)
                    .filter(message -> message instanceof Rep rep && rep.remoteId() == req.localId())
                    .map(Rep.class::cast)
                    .findFirst()
                    .orElseThrow();
        }

        /** What begins by a consumer's wish; answers come by themselves. */
        private void say(CapturedMad each) {
            switch (each.message()) {
                case Req req -> ask(each, req);
                case Rep rep -> {
                    Conversation to = Objects.requireNonNull(byRemoteId.get(rep.remoteId()));
                    to.accept(Terms.reply(to.localId(), to.request(), local(rep), wish(rep)));
                }
                case Dreq dreq ->
                    Objects.requireNonNull(byRemoteId.get(dreq.remoteId())).disconnect(PrivateData.NONE);
                case SidrReq req -> resolve(each, req);
                default -> {}
            }
        }

        private void ask(CapturedMad each, Req req) {
            ids.add(req.localId());
            IpCmHeader header = Objects.requireNonNull(IpCmHeader.of(req.privateData()));
            Terms.Local local = new Terms.Local(
                    req.end(), 0, Objects.requireNonNull(Mtu.of(req.paths().mtu())));
            Terms.Way way = new Terms.Way(
                    self, endpoint(each.target()), ServiceId.tcp(ServiceId.port(req.serviceId())), header.sourcePort());
            ConnectorOptions options = ConnectorOptions.DEFAULT
                    .withConnection(ConnectionOptions.DEFAULT
                            .withReads(req.reads().initiatorDepth(), req.reads().responderResources())
                            .withRetries(req.delivery().retries(), Duration.ofNanos(AckTimeout.nanoseconds(17)))
                            .withRnr(req.delivery().rnrRetries(), RnrTimer.US_10)
                            .withEndToEndCredits(req.delivery().flowControl()))
                    .withPrivateData(req.privateData().from(IpCmHeader.LENGTH));
            Ending ending = new Ending();
            ending.conversation =
                    conversations.connect(way.remote(), ending, id -> Terms.request(id, local, way, options), false);
            endings.put(req.localId(), ending);
            byRemoteId.put(replyTo(req).localId(), ending.conversation);
        }

        private static Terms.Local local(Rep rep) {
            return new Terms.Local(rep.end(), 0, Mtu.MTU_4096);
        }

        private static AcceptOptions wish(Rep rep) {
            ConnectionOptions wish = ConnectionOptions.DEFAULT
                    .withReads(rep.reads().initiatorDepth(), rep.reads().responderResources())
                    .withRnr(rep.rnrRetries(), RnrTimer.US_10)
                    .withEndToEndCredits(rep.flowControl());
            return AcceptOptions.DEFAULT.withConnection(wish).withPrivateData(rep.privateData());
        }

        private void resolve(CapturedMad each, SidrReq req) {
            ids.add(req.requestId());
            IpCmHeader header = Objects.requireNonNull(IpCmHeader.of(req.privateData()));
            Terms.Way way = new Terms.Way(self, endpoint(each.target()), req.serviceId(), header.sourcePort());
            conversations.resolve(
                    way.remote(),
                    id -> new SidrReq(id, 0xffff, way.serviceId(), way.with(PrivateData.NONE)),
                    new Resolved(),
                    new Resolution.Patience(20, 15));
        }

        private void expect(CapturedMad each) {
            MemorySegment said = Objects.requireNonNull(sent.poll(), () -> "nothing said for frame " + each.number());
            assertEquals(hex(each.mad()), hex(said), each.capture() + " frame " + each.number());
        }

        private static String hex(MemorySegment mad) {
            return HexFormat.of().formatHex(mad.toArray(ValueLayout.JAVA_BYTE));
        }

        // --- listening

        @Override
        public void onClosed() {}

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void onRequest(Conversation conversation, Req request) {
            Ending ending = new Ending();
            ending.conversation = conversation;
            conversation.owner(ending);
            byRemoteId.put(request.localId(), conversation);
        }

        // --- the world

        @Override
        public void send(Endpoint to, MadMessage message, long transactionId) {
            MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
            message.writeMad(mad, 0, transactionId);
            sent.add(mad);
        }

        @Override
        public void schedule(WheelTimer timer, long deadlineNs) {
            wheel.schedule(timer, deadlineNs);
        }

        @Override
        public void cancel(WheelTimer timer) {
            wheel.cancel(timer);
        }

        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public int random() {
            return ids.remove();
        }

        @Override
        public long guid() {
            return 1;
        }

        @Override
        public void count(Counter counter) {
            assertTrue(crossed && counter == Counter.CM_DUPLICATES, () -> "a message of Linux counted as " + counter);
        }
    }

    private static final class Resolved implements Resolution.Asker {
        @Override
        public void onAnswer(SidrRep answer) {
            assertEquals(0x15, answer.queuePair());
        }

        @Override
        public void onTimedOut() {}

        @Override
        public void onClosed() {}
    }

    /** A consumer that agrees to everything. */
    private static final class Ending implements Party {
        private @Nullable Conversation conversation;

        @Override
        public void onPeerRequest(Req request) {}

        @Override
        public void onReply(Rep reply) {
            Objects.requireNonNull(conversation).ready(PrivateData.NONE);
        }

        @Override
        public void onEstablished() {}

        @Override
        public void onRefused(Rej rejection) {
            throw new AssertionError("refused: " + rejection);
        }

        @Override
        public void onTimedOut() {}

        @Override
        public void onDisconnected() {}

        @Override
        public void onClosed() {}
    }
}
