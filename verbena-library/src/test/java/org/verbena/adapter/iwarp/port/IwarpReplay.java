package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.adapter.iwarp.mpa.CapturedOffers;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.Negotiation;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.LooseStreams;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.FixedKeys;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.CapturedMessage;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * One captured connection with an adapter in the place of one side, from the first byte of the negotiation. The adapter has the memory of that side
 * with the captured keys and addresses (see {@link GrantedRegions}), so that every byte stays as it was captured. The capture is gone through in the
 * order of its frames: a unit of the other side arrives, in pieces; a message of the replaced side is posted when its first byte was seen, if a
 * consumer caused it. Answers to reads, the ready message and terminate messages have to come by themselves. Time stands still but where a responder
 * sends first.
 */
final class IwarpReplay {
    private static final int STREAM_BYTES = 1 << 20;
    /** Bytes of a packet, in which siw fills as many as four bytes less with a unit at an MTU of 9000. */
    private static final int PACKET = 8944;

    private static final int PACKET_1500 = 1448;
    private static final int PIECE = 777;
    private static final int RECEIVES_FROM = 1000;
    /** Bytes of a receive that meets a longer message. */
    private static final int TOO_SHORT = 4096;
    /** The private data of a server that tells where its memory is: address, key, length. */
    private static final int TOLD = 16;

    private static final Endpoint REMOTE = Endpoint.of("192.0.2.1", 1);

    private final CapturedConversation conversation;
    private final List<CapturedMessage> own;
    private final List<CapturedMessage> peers;
    private final @Nullable CapturedMessage refused;
    private final VirtualClock clock = new VirtualClock(0);
    private final FixedKeys keys = new FixedKeys((1 << 24) - 1);
    private final ProtectionTable table = keys.table();
    private final LooseStreams streams = new LooseStreams();
    private @Nullable IwarpPort made;
    private final Adapter adapter = Openings.open(
            new InProcessNetwork().open(), clock, parts -> made = new IwarpPort(parts, streams, clock, 0), table);
    private final ProtectionDomain domain = adapter.createProtectionDomain();
    private final CompletionQueue completions = adapter.createCompletionQueue(1024);
    private final QueuePair queuePair = adapter.createQueuePair(
            QueuePairOptions.of(domain, completions).withCapacity(256, 256).withRegister(RegisterFailure.TERMINATE));
    private final GrantedRegions memory = new GrantedRegions(table, keys, domain);
    private final List<MemorySegment> received = new ArrayList<>();
    private final ArrayDeque<CapturedMessage> answers = new ArrayDeque<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final MemoryStream wire;
    private final boolean readyFirst;
    private int posted;
    /** A unit of the other side has arrived. */
    private boolean heard;

    /** One thing that was captured: a message of the replaced side, or a unit of the other side. */
    private record Event(
            int frame,
            @Nullable CapturedMessage posted,
            @Nullable CapturedMessage message,
            int unit) {}

    IwarpReplay(CapturedConversation conversation) {
        this.conversation = conversation;
        this.own = CapturedMessage.of(conversation.own());
        this.peers = CapturedMessage.of(conversation.peer());
        this.refused = conversation.refuses() ? peers.getLast() : null;
        MpaAgreement agreement = negotiate();
        this.readyFirst = conversation.isInitiator() && agreement.ready() != null;
        prepareMemory();
        this.wire = connect(agreement);
        postReceives();
    }

    // --- the beginning

    /** Both frames of the negotiation, ours byte for byte. */
    private MpaAgreement negotiate() {
        Negotiation ours = conversation.isInitiator()
                ? Negotiation.initiate(CapturedOffers.of(conversation.own()), Long.MAX_VALUE)
                : Negotiation.respond(Long.MAX_VALUE);
        MemorySegment frame = frame(conversation.peer());
        assertEquals(frame.byteSize(), ours.receive(frame, 0, (int) frame.byteSize()));
        if (!conversation.isInitiator()) {
            ours.accept(CapturedOffers.of(conversation.own()));
        }
        assertEquals(hex(frame(conversation.own())), hex(ours.output()), "the frame of the negotiation");
        MpaAgreement agreement = ours.agreement();
        assertNotNull(agreement, () -> "no agreement: " + ours.failure());
        return agreement;
    }

    private static MemorySegment frame(CapturedUnits side) {
        return side.stream().memory().asSlice(0, MpaHeader.LENGTH + side.frame().privateDataLength());
    }

    /** What the other side was told, and what the messages of both sides use. */
    private void prepareMemory() {
        PrivateData told = conversation.own().privateData();
        ByteBuffer words = ByteBuffer.wrap(told.bytes());
        int at = conversation.own().frame().enhanced() ? MpaDepths.LENGTH : 0;
        if (!conversation.isInitiator() && told.length() == at + TOLD) {
            boolean readOnly = conversation.capture().equals("siw_term_readonly");
            Set<Right> rights = readOnly ? EnumSet.of(Right.REMOTE_READ) : EnumSet.allOf(Right.class);
            memory.grant(words.getInt(at + 8), words.getLong(at), words.getInt(at + 12), rights);
        }
        peers.stream()
                .filter(message -> message.opcode().invalidates())
                .forEach(message -> memory.expectEnd(message.invalidated()));
        peers.stream()
                .filter(message -> !message.equals(refused) || memory.isKnown(keyOf(message)))
                .forEach(this::expect);
        for (CapturedMessage message : own) {
            if (message.opcode() == RdmapOpcode.READ_REQUEST) {
                ReadRequest read = message.readRequest();
                memory.expect(read.sinkStag(), read.sinkOffset(), read.length());
            } else if (message.opcode() == RdmapOpcode.READ_RESPONSE) {
                answers.add(message);
            }
        }
    }

    private void expect(CapturedMessage message) {
        switch (message.opcode()) {
            case WRITE -> memory.expect(message.key(), message.address(), message.length());
            case READ_REQUEST -> {
                ReadRequest read = message.readRequest();
                memory.expect(read.sourceStag(), read.sourceOffset(), read.length());
            }
            default -> {}
        }
    }

    /** The key of ours that a message of the other side uses; 0 if it uses none. */
    private static int keyOf(CapturedMessage message) {
        return switch (message.opcode()) {
            case WRITE -> message.key();
            case READ_REQUEST -> message.readRequest().sourceStag();
            default -> message.opcode().invalidates() ? message.invalidated() : 0;
        };
    }

    private MemoryStream connect(MpaAgreement agreement) {
        int packet = conversation.capture().endsWith("mtu1500") ? PACKET_1500 : PACKET;
        MemoryStream[] ends = MemoryStream.pair(STREAM_BYTES, packet, new Seed(1), 0);
        streams.add(ends[0]);
        int number = Objects.requireNonNull(made).add(REMOTE, ends[0], agreement, conversation.isInitiator());
        queuePair.connect(
                new QueuePairAddress(REMOTE, number, 0),
                ConnectionOptions.DEFAULT.withReads(agreement.ord(), agreement.ird()));
        return ends[1];
    }

    private void postReceives() {
        for (CapturedMessage message : peers) {
            if (message.opcode().isSend()) {
                int length = message.equals(refused) ? TOO_SHORT : message.length();
                MemorySegment buffer = Arena.ofAuto().allocate(Math.max(1, length));
                assertTrue(queuePair.post(
                        new WorkRequest.Receive(RECEIVES_FROM + received.size(), LocalSegment.of(buffer))));
                received.add(buffer);
            }
        }
    }

    // --- the conversation

    void run() {
        for (Event event : events()) {
            CapturedMessage request = event.posted();
            if (request != null) {
                post(request);
            } else {
                arrive(Objects.requireNonNull(event.message()), event.unit());
            }
        }
        settle();
        compareUnits();
        compareCompletions();
        compareEnd();
    }

    private List<Event> events() {
        var all = new ArrayList<Event>();
        for (CapturedMessage message : own.subList(readyFirst ? 1 : 0, own.size())) {
            RdmapOpcode opcode = message.opcode();
            if (opcode.isSend() || opcode == RdmapOpcode.WRITE || opcode == RdmapOpcode.READ_REQUEST) {
                all.add(new Event(message.firstFrame(), message, null, 0));
            }
        }
        for (CapturedMessage message : peers) {
            for (int unit : message.units()) {
                all.add(new Event(conversation.peer().lastFrame(unit), null, message, unit));
            }
        }
        all.sort(Comparator.comparingInt(Event::frame)); // stable: units of one frame stay in their order
        return all;
    }

    private void post(CapturedMessage message) {
        WorkRequest.Sending request = switch (message.opcode()) {
            case WRITE ->
                new WorkRequest.Write(
                        posted,
                        data(message),
                        new RemoteMemory(message.address(), message.key()),
                        SendOptions.SIGNALLED);
            case SEND_INVALIDATE ->
                new WorkRequest.SendWithInvalidate(posted, data(message), message.invalidated(), SendOptions.SIGNALLED);
            case SEND -> new WorkRequest.Send(posted, data(message), SendOptions.SIGNALLED);
            case READ_REQUEST -> read(message.readRequest());
            default -> throw new AssertionError(message.opcode() + " is not posted");
        };
        posted++;
        assertTrue(queuePair.post(request));
        settle();
        if (!conversation.isInitiator() && !heard) {
            clock.advance(2 * IwarpPort.FIRST_UNIT_NS); // siw's responder sends first at once
            settle();
        }
    }

    private static Payload data(CapturedMessage message) {
        return Payload.of(
                LocalSegment.of(Arena.ofAuto().allocate(message.length()).copyFrom(message.data())));
    }

    private WorkRequest.Sending read(ReadRequest read) {
        use(read.sinkStag());
        return new WorkRequest.Read(
                posted,
                List.of(new LocalSegment(read.sinkOffset(), read.length(), read.sinkStag())),
                new RemoteMemory(read.sourceOffset(), read.sourceStag()),
                SendOptions.SIGNALLED);
    }

    /** A key of ours is about to be used. */
    private void use(int key) {
        if (memory.make(key) == GrantedRegions.Made.TO_BE_REGISTERED) {
            assertTrue(queuePair.post(new WorkRequest.Register(-1, key, SendOptions.UNSIGNALLED)));
            settle();
        }
    }

    private void arrive(CapturedMessage message, int unit) {
        boolean first = unit == message.units().getFirst();
        boolean taken = !message.equals(refused);
        if (first) {
            use(keyOf(message));
        }
        if (first && taken && message.opcode() == RdmapOpcode.READ_REQUEST) {
            ReadRequest read = message.readRequest();
            memory.fill(read.sourceStag(), read.sourceOffset(), answers.remove().data());
        }
        heard = true;
        ByteBuffer bytes = conversation.peer().unit(unit).asByteBuffer();
        while (bytes.hasRemaining()) {
            ByteBuffer piece = bytes.slice(bytes.position(), Math.min(PIECE, bytes.remaining()));
            bytes.position(bytes.position() + wire.write(piece));
            settle();
        }
        boolean last = unit == message.units().getLast();
        boolean tagged = message.opcode() == RdmapOpcode.WRITE || message.opcode() == RdmapOpcode.READ_RESPONSE;
        if (last && taken && tagged && message.length() > 0) {
            memory.holds(message.key(), message.address(), message.data());
        }
    }

    private void settle() {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        for (int idle = 0; idle < 3; idle++) {
            if (adapter.work(clock.nowNs()) > 0) {
                idle = 0;
            }
            if (wire.read(bytes.clear()) > 0) {
                sent.write(bytes.array(), 0, bytes.position());
                idle = 0;
            }
        }
    }

    // --- what came of it

    private void compareUnits() {
        MemorySegment bytes = MemorySegment.ofArray(sent.toByteArray());
        int units = conversation.own().units().size();
        long at = 0;
        for (int unit = 0; unit < units; unit++) {
            MemorySegment captured = conversation.own().unit(unit);
            String which = "unit " + unit + " of " + units;
            assertTrue(bytes.byteSize() >= at + captured.byteSize(), which + " is not sent");
            MemorySegment ours = bytes.asSlice(at, captured.byteSize());
            if (DdpControl.opcode(captured, Fpdu.HEADER_LENGTH) == RdmapOpcode.TERMINATE.code()) {
                compareTerminate(captured, ours);
            } else {
                assertEquals(hex(captured), hex(ours), which);
            }
            at += captured.byteSize();
        }
        assertEquals(bytes.byteSize(), at, "nothing more is sent");
    }

    /**
     * siw has the fields of the first word elsewhere, and no reasons for missing rights and for a message that is too long. In the header of a read request
     * that it repeats, the length stands where the sequence number was; ours is the header as it came.
     */
    private void compareTerminate(MemorySegment captured, MemorySegment ours) {
        int reasonAt = Fpdu.HEADER_LENGTH + UntaggedHeader.LENGTH;
        int behind = reasonAt + Terminate.LENGTH;
        assertEquals(hex(captured.asSlice(0, reasonAt)), hex(ours.asSlice(0, reasonAt)));
        MemorySegment expectedBehind =
                MemorySegment.ofArray(captured.asSlice(behind).toArray(ValueLayout.JAVA_BYTE));
        CapturedMessage cause = Objects.requireNonNull(refused);
        if (cause.opcode() == RdmapOpcode.READ_REQUEST) {
            int length = UntaggedHeader.LENGTH + ReadRequest.LENGTH;
            MemorySegment.copy(cause.header(), 0, expectedBehind, Terminate.SEGMENT_LENGTH, length);
        }
        assertEquals(hex(expectedBehind), hex(ours.asSlice(behind)));
        Terminate theirs = Terminate.read(captured, reasonAt);
        TerminateCode expected = switch (conversation.capture()) {
            case "siw_term_readonly" -> TerminateCode.RDMAP_ACCESS_RIGHTS;
            case "siw_term_toolong" -> TerminateCode.DDP_MESSAGE_TOO_LONG;
            default -> Objects.requireNonNull(theirs.reason());
        };
        assertEquals(Terminate.of(expected, theirs.hasDdp(), theirs.hasRdmap()), Terminate.read(ours, reasonAt));
    }

    private void compareCompletions() {
        int sends = 0;
        int receives = 0;
        for (Completion each = completions.poll(); each != null; each = completions.poll()) {
            if (each.operation().isReceive()) {
                compareReceive(receives++, each);
            } else {
                assertEquals(sends++, each.id());
                assertEquals(expectedStatus(sends == posted), each.status(), each::toString);
            }
        }
        assertEquals(posted, sends, "requests complete");
        assertEquals(received.size(), receives, "receives complete");
    }

    /** A read that the other side refuses fails; a write or a send is done when it is sent. */
    private Status expectedStatus(boolean last) {
        boolean refusedRead = conversation.isTerminated()
                && !conversation.refuses()
                && own.getLast().opcode() == RdmapOpcode.READ_REQUEST;
        return last && refusedRead ? Status.REMOTE_ACCESS_ERROR : Status.SUCCESS;
    }

    private void compareReceive(int number, Completion completion) {
        assertEquals(RECEIVES_FROM + number, completion.id());
        CapturedMessage message = peers.stream()
                .filter(each -> each.opcode().isSend())
                .skip(number)
                .findFirst()
                .orElseThrow();
        if (message.equals(refused)) {
            assertEquals(Status.LOCAL_LENGTH_ERROR, completion.status());
            return;
        }
        assertEquals(Status.SUCCESS, completion.status(), completion::toString);
        assertEquals(message.length(), completion.byteLength());
        assertEquals(message.opcode().invalidates() ? message.invalidated() : null, completion.invalidatedKey());
        MemorySegment data = received.get(number).asSlice(0, message.length());
        assertEquals(-1, data.mismatch(message.data()), "data of receive " + number);
    }

    private void compareEnd() {
        boolean ended = conversation.isTerminated();
        assertEquals(ended ? QueuePairState.ERROR : QueuePairState.READY_TO_SEND, queuePair.state());
        AsyncEvent event = adapter.events().poll();
        while (event != null && event.kind() == EventKind.COMMUNICATION_ESTABLISHED) {
            event = adapter.events().poll();
        }
        if (!ended) {
            assertNull(event);
            return;
        }
        assertNotNull(event);
        if (!conversation.refuses()) {
            MemorySegment message =
                    conversation.peer().segment(conversation.peer().units().size() - 1);
            TerminateCode reason =
                    Terminate.read(message, UntaggedHeader.LENGTH).reason();
            assertEquals(EventKind.QUEUE_PAIR_FATAL, event.kind());
            assertTrue(event.detail().endsWith("the peer terminated the stream: " + reason), event::toString);
        }
    }

    private static String hex(MemorySegment bytes) {
        return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    void close() {
        adapter.close();
    }
}
