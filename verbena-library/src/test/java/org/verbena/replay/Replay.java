package org.verbena.replay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.verbena.Operation;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.ScriptedLink;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.protection.FixedKeys;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.FixedNumbers;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.Syndrome;

/**
 * One conversation with an adapter in the place of one side. The capture is gone through packet by packet: what the
 * other side sent arrives; what the replaced side sent is work to be posted, if a message begins with it, and is
 * expected. Time stands still but where the adapter has to wait before it sends what is expected.
 */
final class Replay implements AutoCloseable {
    private static final RnrTimer CAPTURED_TIMER = RnrTimer.of(27);
    private static final long START_NS = 1_000_000;
    private static final long PATIENCE_NS = 1_000_000_000;

    private final Scenario scenario;
    private final List<CapturedPacket> packets;
    private final VirtualClock clock = new VirtualClock(START_NS);
    private final FixedKeys keys = new FixedKeys();
    private final ProtectionTable table = keys.table();
    private final ScriptedLink link;
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final GrantedMemory granted;
    private final Staging staging;
    private final Map<Integer, Talk> talks = new LinkedHashMap<>();

    /** A connection, what it is expected to send and what it has sent. */
    private final class Talk {
        final Conversation conversation;
        final QueuePair queuePair;
        final CompletionQueue completions = adapter.createCompletionQueue(1024);
        final ArrayDeque<Integer> begun = new ArrayDeque<>();
        final List<CapturedPacket> expectedRequests = new ArrayList<>();
        final List<CapturedPacket> expectedAnswers = new ArrayList<>();
        final List<CapturedPacket> sentRequests = new ArrayList<>();
        final List<CapturedPacket> sentAnswers = new ArrayList<>();
        final Map<Long, byte[]> landing = new HashMap<>();
        final ArrayDeque<List<CapturedPacket>> messages = new ArrayDeque<>();
        long lastPosted;
        long done;
        Status lastStatus = Status.SUCCESS;

        Talk(Conversation conversation) {
            this.conversation = conversation;
            queuePair = FixedNumbers.queuePair(
                    adapter,
                    QueuePairOptions.of(domain, completions)
                            .withCapacity(256, 256)
                            .withRegister(RegisterFailure.TERMINATE),
                    conversation.ourNumber(),
                    conversation.ourFirstPsn());
            CapturedPacket one = conversation.oneOfOurs();
            link.sourcePort(one.source().port());
            queuePair.connect(
                    new QueuePairAddress(one.target(), conversation.peerNumber(), conversation.peerFirstPsn()),
                    ConnectionOptions.DEFAULT
                            .withMtu(conversation.mtu())
                            .withRnr(scenario.last() == Status.RNR_RETRY_EXCEEDED ? 2 : 7, CAPTURED_TIMER));
        }
    }

    Replay(Scenario scenario) {
        this.scenario = scenario;
        this.packets = Capture.of(scenario.capture());
        packets.forEach(packet -> assertTrue(packet.isIntact(), packet::toString));
        Endpoint local = packets.stream()
                .filter(scenario.side()::sent)
                .findFirst()
                .orElseThrow()
                .source();
        this.link = new ScriptedLink(local.withPort(Endpoint.ROCE_PORT));
        this.adapter = FixedNumbers.open(link, clock, table);
        this.domain = adapter.createProtectionDomain();
        this.granted = new GrantedMemory(table, keys, domain);
        this.staging = new Staging(adapter, domain);
        Map<Integer, List<CapturedPacket>> byPort = new LinkedHashMap<>();
        for (CapturedPacket packet : packets) {
            byPort.computeIfAbsent(packet.source().port(), _ -> new ArrayList<>())
                    .add(packet);
        }
        byPort.forEach((port, part) -> talks.put(port, new Talk(new Conversation(part, scenario.side()))));
        prepareMemory();
    }

    private void prepareMemory() {
        granted.expect(packets.stream()
                .filter(packet -> packet.isRequest() && !scenario.side().sent(packet))
                .toList());
        for (Scenario.Grant grant : scenario.grants()) {
            Region region = granted.grant(grant);
            if (scenario.windowKey() != 0) {
                bind(region, grant);
            }
        }
    }

    private void bind(Region region, Scenario.Grant grant) {
        int key = scenario.windowKey();
        keys.next(MemoryKey.of(MemoryKey.index(key), MemoryKey.instance(key) - 1));
        Window window = adapter.createWindow(domain, Window.Type.TYPE_2);
        Talk talk = talks.values().iterator().next();
        talk.queuePair.post(new WorkRequest.BindWindow(
                0,
                window,
                key,
                region,
                grant.address() + 4096,
                8192,
                Set.of(Right.REMOTE_READ, Right.REMOTE_WRITE),
                SendOptions.UNSIGNALLED));
        granted.alias(key, grant.key());
        run();
    }

    // --- going through the capture

    Replay play() {
        for (int i = 0; i < packets.size(); i++) {
            CapturedPacket packet = packets.get(i);
            Talk talk = talk(packet);
            idleUntil(packet.timeNs() - packets.getFirst().timeNs() + START_NS);
            if (scenario.side().sent(packet)) {
                expect(talk, packet);
            } else {
                if (packet.isRequest()) {
                    prepare(talk, packet, i);
                }
                link.put(packet.source(), packet.target(), packet.bytes());
            }
            run();
            awaitExpected(talk);
        }
        return this;
    }

    /** While nothing is under way time goes on as it did when the packets were captured. */
    private void idleUntil(long timeNs) {
        if (timeNs > clock.nowNs() && talks.values().stream().allMatch(talk -> talk.done == talk.lastPosted)) {
            clock.advance(timeNs - clock.nowNs());
            run();
        }
    }

    private Talk talk(CapturedPacket packet) {
        return Objects.requireNonNull(talks.get(packet.source().port()));
    }

    private void run() {
        for (int idle = 0; idle < 3; ) {
            idle = adapter.work(clock.nowNs()) == 0 ? idle + 1 : 0;
        }
        for (ScriptedLink.Sent sent : link.sent()) {
            CapturedPacket packet = CapturedPacket.of(clock.nowNs(), sent.source(), sent.target(), 0, sent.bytes());
            Talk talk = talk(packet);
            (packet.isRequest() ? talk.sentRequests : talk.sentAnswers).add(packet);
        }
        talks.values().forEach(this::takeCompletions);
    }

    /** Lets time pass until as many requests have been sent as are expected. */
    private void awaitExpected(Talk talk) {
        long until = clock.nowNs() + PATIENCE_NS;
        int expected =
                chosen(talk.expectedRequests, EnumSet.noneOf(Choice.class)).size();
        while (talk.sentRequests.size() < expected && adapter.nextDeadlineNs() < until) {
            clock.advance(Math.max(1, adapter.nextDeadlineNs() - clock.nowNs()));
            run();
        }
    }

    private void expect(Talk talk, CapturedPacket packet) {
        if (!packet.isRequest()) {
            talk.expectedAnswers.add(packet.sealedAgain(packet.bytes()));
            return;
        }
        List<CapturedPacket> message = talk.conversation.message(packet);
        for (CapturedPacket part : message) {
            boolean lost = scenario.lost().contains(part.psn())
                    && Psn.next(part.psn()) == packet.psn()
                    && talk.expectedRequests.stream().noneMatch(known -> known.psn() == part.psn());
            if (lost) {
                talk.expectedRequests.add(part.sealedAgain(part.bytes()));
            }
        }
        talk.expectedRequests.add(packet.sealedAgain(packet.bytes()));
        int first = message.getFirst().psn();
        if (!talk.begun.contains(first)) {
            talk.begun.add(first);
            post(talk, message);
        }
    }

    private void post(Talk talk, List<CapturedPacket> message) {
        long id = ++talk.lastPosted;
        CapturedPacket first = message.getFirst();
        byte[] answer = new byte[0];
        if (first.opcode() == Opcode.RC_RDMA_READ_REQUEST) {
            int length = Objects.requireNonNull(first.fields().reth()).length();
            answer = talk.conversation.answerTo(first, length);
        } else if (first.opcode().isAtomic()) {
            answer = Staging.bytesOf(talk.conversation.original(first));
        }
        talk.landing.put(id, answer);
        assertTrue(talk.queuePair.post(staging.request(id, message)));
    }

    // --- what the consumer of the replaced side did unseen

    private void prepare(Talk talk, CapturedPacket request, int at) {
        Reth reth = request.fields().reth();
        AtomicEth atomic = request.fields().atomic();
        if (reth != null) {
            make(talk, reth.key());
            if (request.opcode() == Opcode.RC_RDMA_READ_REQUEST) {
                granted.fill(reth.key(), reth.address(), talk.conversation.answerTo(request, reth.length()));
            } else {
                granted.onWrite(reth.key(), reth.address(), reth.length());
            }
        } else if (atomic != null) {
            make(talk, atomic.key());
            granted.fill(atomic.key(), atomic.address(), talk.conversation.original(request));
            granted.onWrite(atomic.key(), atomic.address(), Long.BYTES);
        }
        if (request.opcode().carriesInvalidate()) {
            make(talk, Objects.requireNonNull(request.fields().value()));
        }
        if (takesReceive(request) && !isRefusedForNow(request, at)) {
            talk.messages.add(talk.conversation.message(request));
            assertTrue(talk.queuePair.post(staging.receive(scenario.receiveLength())));
        }
    }

    private void make(Talk talk, int key) {
        GrantedMemory.Made made = granted.make(key);
        if (made != null && made.toBeRegistered()) {
            talk.queuePair.post(new WorkRequest.Register(0, key, SendOptions.UNSIGNALLED));
            run();
        }
    }

    private static boolean takesReceive(CapturedPacket request) {
        return switch (request.opcode().kind()) {
            case SEND -> request.opcode().startsMessage();
            case RDMA_WRITE -> request.opcode().carriesImmediate();
            default -> false;
        };
    }

    /** Whether the request met no receive: the refusal, of it or of one before it, comes before it is sent again. */
    private boolean isRefusedForNow(CapturedPacket request, int at) {
        for (CapturedPacket later : packets.subList(at + 1, packets.size())) {
            if (later.queuePair() == request.queuePair() && later.isRequest() && later.psn() == request.psn()) {
                return false;
            }
            var aeth = later.fields().aeth();
            if (aeth != null
                    && !later.isRequest()
                    && later.source().port() == request.source().port()) {
                boolean reaches = Psn.distance(request.psn(), later.psn()) >= 0;
                if (Syndrome.isRnrNak(aeth.syndrome()) || reaches) {
                    return Syndrome.isRnrNak(aeth.syndrome());
                }
            }
        }
        return false;
    }

    // --- what must have come of it

    /** Everything that was sent is what Linux sent, and nothing is missing. */
    Replay sentTheSame() {
        Set<Choice> used = EnumSet.noneOf(Choice.class);
        for (Talk talk : talks.values()) {
            assertSame(chosen(talk.expectedAnswers, used), talk.sentAnswers, "answers");
            assertSame(chosen(talk.expectedRequests, used), talk.sentRequests, "requests");
        }
        assertEquals(scenario.choices(), used, "choices of " + scenario + " that differ from what Linux sent");
        return this;
    }

    private List<CapturedPacket> chosen(List<CapturedPacket> linux, Set<Choice> used) {
        List<CapturedPacket> expected = linux;
        for (Choice choice : scenario.choices()) {
            List<CapturedPacket> ours = choice.ours(expected);
            if (!ours.equals(expected)) {
                used.add(choice);
            }
            expected = ours;
        }
        return expected;
    }

    private void assertSame(List<CapturedPacket> expected, List<CapturedPacket> sent, String what) {
        for (int i = 0; i < Math.min(expected.size(), sent.size()); i++) {
            CapturedPacket linux = expected.get(i);
            CapturedPacket ours = sent.get(i);
            String where = what + " of " + scenario + ", packet " + i;
            assertEquals(linux.fields(), ours.fields(), where);
            assertEquals(linux.source(), ours.source(), where);
            assertEquals(linux.target(), ours.target(), where);
            assertEquals(linux.bytes(), ours.bytes(), where);
        }
        assertEquals(expected.size(), sent.size(), what + " of " + scenario);
    }

    /** Every request is completed, in order, with what the peer answered; every message is received as it was sent. */
    private void takeCompletions(Talk talk) {
        for (Completion c = talk.completions.poll(); c != null; c = talk.completions.poll()) {
            if (c.operation().isReceive()) {
                onReceived(talk, c);
            } else {
                assertEquals(++talk.done, c.id(), "order of completions");
                onSent(talk, c);
            }
        }
    }

    /** Nothing is left to be done. */
    void completed() {
        for (Talk talk : talks.values()) {
            assertEquals(scenario.last(), talk.lastStatus, "end of the last request");
            assertEquals(talk.lastPosted, talk.done, "completions of what was posted");
        }
    }

    private void onSent(Talk talk, Completion completion) {
        long id = completion.id();
        assertEquals(Status.SUCCESS, talk.lastStatus, "only the last fails");
        talk.lastStatus = completion.status();
        byte[] answer = talk.landing.get(id);
        assertNotNull(answer);
        if (completion.status() == Status.SUCCESS && answer.length > 0) {
            assertArrayEquals(answer, staging.landed(id, answer.length), completion::toString);
        }
    }

    private void onReceived(Talk talk, Completion completion) {
        if (completion.status() != Status.SUCCESS) {
            return;
        }
        List<CapturedPacket> message = talk.messages.remove();
        byte[] data = Conversation.payload(message);
        CapturedPacket last = message.getLast();
        assertEquals(data.length, completion.byteLength());
        if (completion.operation() == Operation.RECEIVE) {
            assertArrayEquals(data, staging.received(completion.id(), data.length), completion::toString);
        }
        Integer value = last.fields().value();
        assertEquals(last.opcode().carriesImmediate() ? value : null, completion.immediate());
        assertEquals(last.opcode().carriesInvalidate() ? value : null, completion.invalidatedKey());
    }

    @Override
    public void close() {
        adapter.close();
    }
}
