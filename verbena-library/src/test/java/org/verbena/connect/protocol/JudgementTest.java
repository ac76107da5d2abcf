package org.verbena.connect.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.wire.mad.Answered;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.Rtu;
import org.verbena.wire.mad.ServiceId;

/** What one end makes of messages that a peer may send by mistake, after a crash, or out of malice. */
final class JudgementTest {
    private static final long SERVICE = ServiceId.tcp(7174);
    private static final long GUID = 0x4711;

    private final Courier courier = new Courier(new Seed(2), LinkFaults.NONE);
    private final Conversations here = courier.b.conversations;

    /** Writes down what it is told. */
    private static class Diary implements Party {
        final List<String> told = new ArrayList<>();

        @Override
        public void onPeerRequest(Req request) {
            told.add("peer request");
        }

        @Override
        public void onReply(Rep reply) {
            told.add("reply");
        }

        @Override
        public void onEstablished() {
            told.add("established");
        }

        @Override
        public void onRefused(Rej rejection) {
            told.add("refused " + rejection.reason());
        }

        @Override
        public void onTimedOut() {
            told.add("timed out");
        }

        @Override
        public void onDisconnected() {
            told.add("disconnected");
        }

        @Override
        public void onClosed() {
            told.add("closed");
        }
    }

    /** A request that came, and what became of it. */
    private static final class Guest extends Diary {
        final Conversation conversation;

        Guest(Conversation conversation) {
            this.conversation = conversation;
            conversation.owner(this);
        }
    }

    /** Takes every request and leaves the answer to the test. */
    private static final class Doorman implements Acceptor {
        final List<Guest> guests = new ArrayList<>();

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void onRequest(Conversation conversation, Req request) {
            guests.add(new Guest(conversation));
        }

        @Override
        public void onClosed() {}
    }

    private final Doorman doorman = new Doorman();

    JudgementTest() {
        assertTrue(here.listen(SERVICE, doorman));
    }

    private void receive(CmMessage message) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        message.writeMad(mad, 0, 1);
        here.receive(courier.a.address, mad);
    }

    /** A peer that asks and says no more. */
    private Guest asked(Req req) {
        receive(req);
        return doorman.guests.getLast();
    }

    private Guest accepted(Req req) {
        Guest guest = asked(req);
        guest.conversation.accept(LossTest.reply(guest.conversation, 0x12));
        return guest;
    }

    private Guest established(Req req) {
        Guest guest = accepted(req);
        receive(new Rtu(req.localId(), guest.conversation.localId(), PrivateData.NONE));
        assertSame(Conversation.State.ESTABLISHED, guest.conversation.state());
        guest.told.clear();
        return guest;
    }

    private static Req patient(int ackTimeout, int response) {
        return LossTest.request(1, 0x11, GUID, ackTimeout, response);
    }

    private static Rej givingUp(int theirs, int ours) {
        return Rej.of(theirs, ours, Answered.REP, RejectReason.TIMEOUT, PrivateData.NONE);
    }

    @Test
    void onlyBothIdsEndAnEstablishedConnectionByATimeout() {
        Guest connected = established(LossTest.request(1, 0x11, GUID));
        receive(givingUp(1, 0));
        receive(givingUp(1, connected.conversation.localId() + 1));
        assertSame(Conversation.State.ESTABLISHED, connected.conversation.state());
        assertEquals(List.of(), connected.told);
        receive(givingUp(1, connected.conversation.localId()));
        assertEquals(List.of("disconnected"), connected.told);
    }

    @Test
    void aPeerThatHasNotHeardOfThisEndMayGiveUpByItsOwnId() {
        Guest replied = accepted(LossTest.request(1, 0x11, GUID));
        receive(givingUp(1, 0));
        assertSame(Conversation.State.ENDED, replied.conversation.state());
    }

    @Test
    void theOwnerOfAStaleConversationIsToldAtOnceAndOnce() {
        Guest connected = established(LossTest.request(1, 0x11, GUID));
        Guest replied = accepted(LossTest.request(2, 0x12, GUID));
        Guest waiting = asked(LossTest.request(3, 0x13, GUID));
        for (int i = 1; i <= 3; i++) {
            receive(LossTest.request(10 + i, 0x10 + i, GUID));
        }
        assertEquals(3, doorman.guests.size(), "a stale request is refused");
        assertEquals(List.of("disconnected"), connected.told);
        assertSame(Conversation.State.DREQ_SENT, connected.conversation.state());
        assertEquals(List.of("timed out"), replied.told);
        assertEquals(List.of("timed out"), waiting.told);
        while (courier.step()) {}
        assertEquals(List.of("disconnected"), connected.told);
        assertEquals(1, here.remembered(), "the listener");
    }

    @Test
    void equalNumbersOfOtherAdaptersAreNotStale() {
        Guest one = established(LossTest.request(1, 0x11, GUID));
        Guest other = established(LossTest.request(2, 0x11, GUID + 1));
        assertEquals(List.of(), one.told);
        assertSame(Conversation.State.ESTABLISHED, other.conversation.state());
    }

    @Test
    void aPeerDoesNotChooseHowLongItIsRemembered() {
        Guest guest = accepted(patient(31, 31));
        long startNs = courier.clock.nowNs();
        while (guest.told.isEmpty()) {
            courier.dropAll();
            assertTrue(courier.step());
        }
        courier.dropAll();
        assertEquals(List.of("timed out"), guest.told);
        assertTrue(courier.clock.nowNs() - startNs < 16 * 70_000_000_000L, "not 16 times 2.4 hours");
        startNs = courier.clock.nowNs();
        while (courier.step()) {}
        assertTrue(courier.clock.nowNs() - startNs < 10_000_000_000L, "timewait is short");
        assertEquals(1, here.remembered(), "the listener");
    }

    @Test
    void aPeerDoesNotHaveMessagesRepeatedWithoutAPause() {
        Guest guest = accepted(patient(0, 0));
        long startNs = courier.clock.nowNs();
        while (guest.told.isEmpty()) {
            courier.dropAll();
            assertTrue(courier.step());
        }
        assertTrue(courier.clock.nowNs() - startNs >= 16_000_000L, "16 tries of a millisecond");
    }

    @Test
    void anUnansweredRequestEndsWithAReasonThatLinuxUnderstands() {
        Diary client = new Diary();
        courier.a.conversations.connect(
                courier.b.address, client, id -> LossTest.request(id, 0x11, courier.a.guid()), false);
        while (client.told.isEmpty()) {
            assertTrue(courier.step());
        }
        // Not "timeout": Linux does not find whom that is for.
        assertEquals(List.of("refused " + RejectReason.NO_RESOURCES.code()), client.told);
        assertEquals(List.of("timed out"), doorman.guests.getFirst().told);
    }

    @Test
    void onlyAnAnswerToARequestMayLeaveTheSendersIdOut() {
        Guest guest = accepted(LossTest.request(1, 0x11, GUID));
        int id = guest.conversation.localId();
        receive(new Rtu(0, id, PrivateData.NONE));
        assertSame(Conversation.State.REP_SENT, guest.conversation.state());
        receive(new Rtu(1, id, PrivateData.NONE));
        receive(new Dreq(0, id, 0x12, PrivateData.NONE));
        assertSame(Conversation.State.ESTABLISHED, guest.conversation.state());
        receive(new Dreq(1, id, 0x12, PrivateData.NONE));
        assertSame(Conversation.State.TIMEWAIT, guest.conversation.state());
    }

    @Test
    void requestsLeaveRoomForOwnConnects() {
        for (int i = 0; i <= CmLimits.CONVERSATIONS_INBOUND_MAX; i++) {
            receive(LossTest.request(i + 1, i, GUID));
        }
        assertEquals(CmLimits.CONVERSATIONS_INBOUND_MAX, doorman.guests.size());
        here.connect(courier.a.address, new Diary(), id -> LossTest.request(id, 5, courier.b.guid()), false);
    }

    @Test
    void nothingBeginsAtAClosedAdapterAndFailedBeginningsAreForgotten() {
        assertThrows(
                IllegalArgumentException.class,
                () -> here.connect(
                        courier.a.address,
                        new Diary(),
                        id -> {
                            throw new IllegalArgumentException("a request that can't be made");
                        },
                        false));
        assertEquals(0, here.count());
        here.close();
        assertThrows(
                IllegalStateException.class,
                () -> here.connect(
                        courier.a.address, new Diary(), id -> LossTest.request(id, 5, courier.b.guid()), false));
        assertThrows(IllegalStateException.class, () -> here.listen(SERVICE, doorman));
        assertEquals(0, here.remembered());
    }
}
