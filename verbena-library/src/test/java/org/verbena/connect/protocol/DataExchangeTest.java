package org.verbena.connect.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.PrivateData;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.DataMessage;
import org.verbena.wire.mad.DataPiece;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.MadMessage;
import org.verbena.wire.mad.Rtu;

/** Data at connect: whole at both ends whatever gets lost, and within bounds whatever a peer sends. */
final class DataExchangeTest {
    private static final List<String> EXCHANGED = List.of("exchanged");

    private static PrivateData bytes(Seed seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) seed.nextInt();
        }
        return PrivateData.of(bytes);
    }

    private static Talk talk(@Nullable PrivateData clients, @Nullable PrivateData servers) {
        Talk talk = new Talk(new Seed(1), LinkFaults.NONE, clients, servers);
        talk.connect();
        return talk;
    }

    private static void assertExchanged(Talk talk) {
        assertEquals(EXCHANGED, talk.client.told);
        assertEquals(EXCHANGED, talk.server.told);
        assertEquals(talk.server.own, talk.client.theirs);
        assertEquals(talk.client.own, talk.server.theirs);
    }

    // --- what arrives

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 56, 199, 200, 201, 400, 6_400, 6_401, 65_535, 65_536})
    void eachEndHasTheExactBytesOfTheOther(int length) {
        Seed seed = new Seed(length);
        Talk talk = talk(bytes(seed, length), bytes(seed, 65_536 - length)).untilBothAreTold();
        assertExchanged(talk);
        assertEquals(0, talk.courier.b.counted(Counter.CM_RETRIES), "nothing was lost");
        assertEquals(0, talk.courier.b.counted(Counter.CM_DUPLICATES), "nothing came twice");
        assertEquals(0, talk.rememberedAfterTheEnd());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.3})
    void lossCopiesAndDelayAreMended(double rate) {
        LinkFaults faults = new LinkFaults(rate, rate, rate, 0);
        for (int run = 0; run < 100; run++) {
            Seed seed = new Seed(run).fork("data");
            int length = run % 5 == 0 ? CmLimits.DATA_MAX_BYTES : seed.nextInt(3_000);
            Talk talk = new Talk(seed, faults, bytes(seed, length), bytes(seed, seed.nextInt(3_000)));
            talk.connect();
            talk.untilBothAreTold();
            assertExchanged(talk);
            assertEquals(0, talk.rememberedAfterTheEnd(), "run " + run);
        }
    }

    @Test
    void aBurstIsAnsweredBeforeTheNextOneIsSent() {
        Talk talk = new Talk(new Seed(3), LinkFaults.NONE, bytes(new Seed(3), 65_536), PrivateData.NONE);
        var bursts = new ArrayList<Integer>();
        int[] answers = new int[1];
        talk.courier.lost = (office, message) -> {
            if (office == talk.courier.b && message instanceof DataAnswer) {
                answers[0]++;
            } else if (office == talk.courier.a && message instanceof DataPiece piece) {
                if (bursts.size() < piece.part().burst()) {
                    assertEquals(bursts.size(), answers[0], "answers before the next burst");
                    bursts.add(0);
                }
                bursts.set(bursts.size() - 1, bursts.getLast() + 1);
            }
            return false;
        };
        talk.connect();
        talk.untilBothAreTold();
        assertEquals(11, bursts.size());
        assertEquals(
                List.of(CmLimits.DATA_BURST_MAX),
                bursts.subList(0, 10).stream().distinct().toList());
        assertEquals(328 - 320, bursts.getLast());
    }

    @Test
    void onlyThePiecesThatWereLostAreSentAgain() {
        Talk talk = new Talk(new Seed(4), LinkFaults.NONE, bytes(new Seed(4), 4_000), PrivateData.NONE);
        var sent = new ArrayList<Integer>();
        talk.courier.lost = (office, message) -> {
            if (office != talk.courier.a || !(message instanceof DataPiece piece)) {
                return false;
            }
            sent.add(piece.part().index());
            return piece.part().burst() == 1
                    && (piece.part().index() == 3 || piece.part().index() == 11);
        };
        talk.connect();
        talk.untilBothAreTold();
        assertExchanged(talk);
        assertEquals(List.of(3, 11), sent.subList(20, sent.size()));
    }

    @Test
    void noEndIsDoneBeforeThePeerHasItsData() {
        Talk talk = new Talk(new Seed(12), LinkFaults.NONE, bytes(new Seed(1), 10), bytes(new Seed(2), 10));
        talk.courier.lost = (office, message) -> office == talk.courier.b && message instanceof DataAnswer;
        talk.connect();
        talk.untilTold(talk.server);
        assertEquals(EXCHANGED, talk.server.told);
        talk.untilTold(talk.client);
        assertEquals(List.of("data unanswered"), talk.client.told, "no answer has come");
    }

    /** The last answer of the end that is done first gets lost: it answers again, although it is done. */
    @Test
    void anEndThatIsDoneAnswersPiecesThatAreRepeated() {
        Talk talk = new Talk(new Seed(5), LinkFaults.NONE, bytes(new Seed(5), 10), bytes(new Seed(6), 10));
        talk.courier.lost = (office, message) -> office == talk.courier.a
                && message instanceof DataAnswer
                && talk.client.told.isEmpty()
                && talk.courier.a.counted(Counter.CM_DUPLICATES) == 0;
        talk.connect();
        talk.untilBothAreTold();
        assertExchanged(talk);
        assertTrue(talk.courier.b.counted(Counter.CM_RETRIES) > 0);
        assertTrue(talk.courier.a.counted(Counter.CM_DUPLICATES) > 0);
    }

    @Test
    void aPieceCountsAsReadyToUse() {
        Talk talk = new Talk(new Seed(7), LinkFaults.NONE, PrivateData.NONE, PrivateData.NONE);
        talk.courier.lost = (_, message) -> message instanceof Rtu;
        talk.connect();
        long startNs = talk.courier.clock.nowNs();
        talk.untilBothAreTold();
        assertExchanged(talk);
        assertTrue(talk.courier.clock.nowNs() - startNs < 1_000_000_000L, "without the reply being repeated");
    }

    // --- peers that do not take part

    @Test
    void aPeerThatWantsNoDataSaysSo() {
        Talk talk = talk(bytes(new Seed(1), 5_000), null);
        talk.untilTold(talk.client);
        assertEquals(List.of("data refused 100"), talk.client.told);
        Talk other = talk(null, bytes(new Seed(1), 5_000));
        other.untilTold(other.server);
        assertEquals(List.of("data refused 100"), other.server.told);
        assertEquals(0, other.rememberedAfterTheEnd());
    }

    @Test
    void aPeerThatIsSilentIsGivenUp() {
        Talk talk = new Talk(new Seed(8), LinkFaults.NONE, bytes(new Seed(8), 5_000), PrivateData.NONE);
        var asked = new ArrayList<Long>();
        talk.courier.lost = (office, message) -> {
            if (office == talk.courier.a && message instanceof DataPiece piece && piece.wantsAnswer()) {
                asked.add(talk.courier.clock.nowNs());
            }
            return message instanceof DataMessage;
        };
        talk.connect();
        talk.untilTold(talk.client);
        assertEquals(List.of("data unanswered"), talk.client.told);
        assertEquals(1 + CmLimits.DATA_RETRIES_MAX, asked.size());
        long tookNs = talk.courier.clock.nowNs() - asked.getFirst();
        assertTrue(tookNs > 13_000_000_000L && tookNs < 16_000_000_000L, tookNs + " ns");
        for (int i = 2; i < asked.size(); i++) {
            long wait = asked.get(i) - asked.get(i - 1);
            assertTrue(wait <= CmLimits.DATA_RETRY_LONGEST_NS + 1_000_000, "waited " + wait);
            assertTrue(wait >= asked.get(i - 1) - asked.get(i - 2) - 1_000_000, "a wait is not shorter than the last");
        }
        assertEquals("data unanswered", talk.client.told.getFirst());
        assertEquals(0, talk.rememberedAfterTheEnd());
    }

    /** An agent that knows only the form of management datagrams echoes what it cannot do, with a status. */
    @Test
    void anEchoWithAStatusIsARefusal() {
        Talk talk = new Talk(new Seed(9), LinkFaults.NONE, PrivateData.NONE, PrivateData.NONE);
        talk.courier.lost = (office, message) -> {
            if (office == talk.courier.a && message instanceof DataPiece piece && talk.client.told.isEmpty()) {
                receive(talk.courier.a, talk.courier.b, new DataAnswer(piece.part(), 0xc, piece.content()));
            }
            return message instanceof DataMessage;
        };
        talk.connect();
        talk.untilTold(talk.client);
        assertEquals(List.of("data refused c"), talk.client.told);
    }

    // --- peers that send what they like

    private static void receive(Courier.Office at, Courier.Office from, MadMessage message) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        message.writeMad(mad, 0, 1);
        at.conversations.receive(from.address, mad);
    }

    /** A server whose peer sends only the pieces of a test. */
    private static Talk quiet(@Nullable PrivateData servers) {
        Talk talk = new Talk(new Seed(10), LinkFaults.NONE, PrivateData.NONE, servers);
        talk.courier.lost = (office, message) -> office == talk.courier.a && message instanceof DataMessage;
        talk.connect();
        while (talk.server.conversation == null
                || talk.server.conversation().state() != Conversation.State.ESTABLISHED) {
            talk.courier.step();
        }
        return talk;
    }

    private static DataPiece piece(Talk talk, int length, int index) {
        int from = talk.client.conversation().localId();
        int to = talk.server.conversation().localId();
        return new DataPiece(new DataMessage.Part(from, to, length, 1, index), true, PrivateData.of((byte) 7));
    }

    private static List<DataAnswer> answersOf(Talk talk, DataPiece... pieces) {
        var answers = new ArrayList<DataAnswer>();
        talk.courier.lost = (office, message) -> {
            if (office == talk.courier.b && message instanceof DataAnswer answer) {
                answers.add(answer);
            }
            return message instanceof DataMessage;
        };
        for (DataPiece piece : pieces) {
            receive(talk.courier.b, talk.courier.a, piece);
        }
        return answers;
    }

    @Test
    void lengthsThatCannotBeAreRefused() {
        for (int length : new int[] {CmLimits.DATA_MAX_BYTES + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            Talk talk = quiet(PrivateData.NONE);
            List<DataAnswer> answers = answersOf(talk, piece(talk, length, 0));
            assertEquals(DataAnswer.TOO_LONG, answers.getFirst().status());
            assertEquals(0, talk.courier.b.conversations.remembered() - rememberedWithoutData(talk));
        }
    }

    /** Entries of the tables: the conversation under three names, and the listener. */
    private static int rememberedWithoutData(Talk talk) {
        assertNotNull(talk.server.conversation);
        return 4;
    }

    @Test
    void piecesThatContradictTheFirstAreDropped() {
        Talk talk = quiet(PrivateData.NONE);
        List<DataAnswer> answers = answersOf(
                talk, piece(talk, 300, 2), piece(talk, 300, 0xffff), piece(talk, 300, 1), piece(talk, 301, 0));
        assertEquals(1, answers.size());
        assertEquals(3, talk.courier.b.counted(Counter.CM_UNMATCHED));
        assertEquals(List.of(), talk.server.told);
        answersOf(talk, piece(talk, 300, 0));
        assertEquals(300, talk.courier.b.conversations.remembered() - rememberedWithoutData(talk), "arriving");
    }

    @Test
    void aCopyDoesNotChangeAPieceThatHasArrived() {
        Talk talk = quiet(PrivateData.NONE);
        DataPiece first = piece(talk, 201, 0);
        answersOf(talk, first, new DataPiece(first.part(), true, PrivateData.of((byte) 9)), piece(talk, 201, 1));
        receive(talk.courier.b, talk.courier.a, answer(talk, 0, 1, 0, 0x80));
        assertEquals(EXCHANGED, talk.server.told);
        PrivateData theirs = Objects.requireNonNull(talk.server.theirs);
        assertEquals(7, theirs.at(0));
        assertEquals(201, theirs.length());
    }

    @Test
    void dataThatArriveHaveABoundTogether() {
        DataRoom room = new DataRoom(1_000);
        assertTrue(room.reserve(600));
        Courier courier = new Courier(new Seed(1), LinkFaults.NONE);
        Talk talk = quiet(PrivateData.NONE);
        DataReceiver receiver = new DataReceiver(courier.b, talk.server.conversation(), room);
        receiver.onPiece(piece(talk, 401, 0));
        assertEquals(600, room.reserved(), "no room, nothing taken");
        assertEquals(1, courier.b.counted(Counter.CM_DATA_DROPS));
        receiver.onPiece(piece(talk, 400, 0));
        assertEquals(1_000, room.reserved());
        receiver.stop();
        assertEquals(600, room.reserved());
    }

    @Test
    void roomIsGivenBackHoweverAConnectionEnds() {
        Talk ended = quiet(PrivateData.NONE);
        answersOf(ended, piece(ended, 60_000, 0));
        assertEquals(60_000, ended.courier.b.conversations.remembered() - rememberedWithoutData(ended));
        assertEquals(0, ended.rememberedAfterTheEnd());
        assertEquals(List.of("disconnected"), ended.server.told, "the exchange has ended with the connection");
        Talk closed = quiet(PrivateData.NONE);
        answersOf(closed, piece(closed, 60_000, 0));
        closed.courier.b.conversations.close();
        assertEquals(0, closed.courier.b.conversations.remembered());
        Talk left = quiet(PrivateData.NONE);
        answersOf(left, piece(left, 60_000, 0));
        left.server.conversation().disconnect(PrivateData.NONE);
        assertEquals(rememberedWithoutData(left), left.courier.b.conversations.remembered());
    }

    @Test
    void aPieceFromElsewhereOrWithOtherIdsIsDropped() {
        Talk talk = quiet(PrivateData.NONE);
        DataMessage.Part right = piece(talk, 10, 0).part();
        List<DataAnswer> answers = answersOf(
                talk,
                new DataPiece(
                        new DataMessage.Part(right.ownerId() + 1, right.receiverId(), 10, 1, 0),
                        true,
                        bytes(new Seed(1), 9)),
                new DataPiece(
                        new DataMessage.Part(right.ownerId(), right.receiverId() + 1, 10, 1, 0),
                        true,
                        bytes(new Seed(1), 9)));
        receive(talk.courier.b, talk.courier.b, piece(talk, 10, 0));
        assertEquals(List.of(), answers);
        assertEquals(3, talk.courier.b.counted(Counter.CM_UNMATCHED));
    }

    /** Pieces that the server sends while a peer answers in its own way. */
    private static int piecesSentAfter(Talk talk, DataAnswer answer) {
        int[] sent = new int[1];
        talk.courier.lost = (office, message) -> {
            if (office == talk.courier.b && message instanceof DataPiece) {
                sent[0]++;
            }
            return message instanceof DataMessage;
        };
        receive(talk.courier.b, talk.courier.a, answer);
        return sent[0];
    }

    private static DataAnswer answer(Talk talk, int length, int burst, int index, int bits) {
        int owner = talk.server.conversation().localId();
        int receiver = talk.client.conversation().localId();
        byte[] all = new byte[DataMessage.PIECE_LENGTH];
        all[0] = (byte) bits;
        return new DataAnswer(
                new DataMessage.Part(owner, receiver, length, burst, index), DataAnswer.TAKEN, PrivateData.of(all));
    }

    @Test
    void onlyAnAnswerThatTakesMoreHasMoreSent() {
        Talk talk = quiet(bytes(new Seed(2), 65_536));
        assertEquals(0, piecesSentAfter(talk, answer(talk, 65_536, 1, 0, 0)), "nothing taken");
        assertEquals(0, piecesSentAfter(talk, answer(talk, 65_535, 1, 0, 0x80)), "other data");
        assertEquals(0, piecesSentAfter(talk, answer(talk, 65_536, 1, 328, 0x80)), "a piece that there is not");
        assertEquals(CmLimits.DATA_BURST_MAX, piecesSentAfter(talk, answer(talk, 65_536, 1, 0, 0x80)));
        assertEquals(0, piecesSentAfter(talk, answer(talk, 65_536, 1, 0, 0xc0)), "of an earlier burst");
        assertEquals(0, piecesSentAfter(talk, answer(talk, 65_536, 2, 0, 0xc0)), "nothing more taken");
        assertEquals(CmLimits.DATA_BURST_MAX, piecesSentAfter(talk, answer(talk, 65_536, 2, 0, 0xf0)));
    }

    @Test
    void aPieceIsNotTakenBack() {
        Talk talk = quiet(bytes(new Seed(2), 400));
        assertEquals(1, piecesSentAfter(talk, answer(talk, 400, 1, 0, 0x80)));
        piecesSentAfter(talk, answer(talk, 400, 2, 0, 0x40));
        String progress = Objects.requireNonNull(talk.server.exchange).progress();
        assertTrue(progress.contains("the peer has 2 of 2 pieces"), progress);
    }

    @Test
    void anAnswerWithoutAnExchangeIsDropped() {
        Talk talk = quiet(null);
        assertEquals(0, piecesSentAfter(talk, answer(talk, 0, 1, 0, 0x80)));
        assertEquals(1, talk.courier.b.counted(Counter.CM_UNMATCHED));
    }

    @Test
    void aRequestThatIsNotAnsweredYetTakesNoData() {
        Talk talk = new Talk(new Seed(11), LinkFaults.NONE, PrivateData.NONE, PrivateData.NONE);
        talk.connect();
        int id = talk.client.conversation().localId();
        receive(
                talk.courier.a,
                talk.courier.b,
                new DataPiece(new DataMessage.Part(0, id, 60_000, 1, 0), true, PrivateData.NONE));
        assertEquals(1, talk.courier.a.counted(Counter.CM_UNMATCHED));
        assertEquals(1, talk.courier.a.conversations.remembered());
        assertExchanged(talk.untilBothAreTold());
    }
}
