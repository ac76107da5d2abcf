package org.verbena.connect.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Gid;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.time.WheelTimer;
import org.verbena.wire.mad.CmEnd;
import org.verbena.wire.mad.CmPath;
import org.verbena.wire.mad.CmReads;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/**
 * The state machine under messages that get lost, come twice or come late: every run ends, both ends agree on
 * the outcome as far as it can be known, and no entry or timer is left in the end.
 */
final class LossTest {
    private static final long SERVICE = ServiceId.tcp(7174);
    private static final int STEPS_MAX = 5_000;
    private static final int ACK_TIMEOUT = 17;

    /** How it went for one end. */
    private enum Outcome {
        NOTHING,
        ESTABLISHED,
        REFUSED,
        TIMED_OUT,
        DISCONNECTED
    }

    /** What the consumers do. */
    private enum Plan {
        CLIENT_ENDS,
        SERVER_ENDS,
        BOTH_END,
        SERVER_REFUSES,
        NOBODY_LISTENS,
        SLOW_SERVER,
        CLIENT_GIVES_UP,
        DATA_BEFORE_READY,
        PEER_TO_PEER
    }

    static Req request(int id, int queuePair, long guid) {
        return request(id, queuePair, guid, ACK_TIMEOUT, 20);
    }

    /** The times are codes. */
    static Req request(int id, int queuePair, long guid, int ackTimeout, int responseTimeout) {
        CmPath.Port port = CmPath.Port.of(Gid.NONE);
        CmPath path = new CmPath(port, port, 0, 0, 0, 64, 0, false, ackTimeout);
        return new Req(
                id,
                SERVICE,
                CmEnd.of(guid, queuePair, 1),
                new CmReads(1, 1),
                Req.Transport.of(0),
                new Req.Timing(responseTimeout, responseTimeout, 15),
                new Req.Delivery(7, 7, false),
                Req.Paths.of(0xffff, 5, path),
                PrivateData.NONE);
    }

    static Rep reply(Conversation to, int queuePair) {
        return new Rep(
                to.localId(),
                to.remoteId(),
                CmEnd.of(9, queuePair, 1),
                new CmReads(1, 1),
                15,
                0,
                false,
                7,
                PrivateData.NONE);
    }

    /** One end of a run. */
    private static final class End implements Party {
        private final int queuePair;
        private Outcome outcome = Outcome.NOTHING;
        private boolean wasEstablished;
        private @Nullable Conversation conversation;

        End(int queuePair) {
            this.queuePair = queuePair;
        }

        Conversation conversation() {
            return Objects.requireNonNull(conversation);
        }

        private void become(Outcome next) {
            assertTrue(
                    outcome == Outcome.NOTHING || (outcome == Outcome.ESTABLISHED && next == Outcome.DISCONNECTED),
                    () -> next + " after " + outcome);
            outcome = next;
            wasEstablished |= next == Outcome.ESTABLISHED;
        }

        @Override
        public void onPeerRequest(Req request) {
            conversation().accept(reply(conversation(), queuePair));
        }

        @Override
        public void onReply(Rep reply) {
            conversation().ready(PrivateData.NONE);
            become(Outcome.ESTABLISHED);
        }

        @Override
        public void onEstablished() {
            become(Outcome.ESTABLISHED);
        }

        @Override
        public void onRefused(Rej rejection) {
            become(Outcome.REFUSED);
        }

        @Override
        public void onTimedOut() {
            become(Outcome.TIMED_OUT);
        }

        @Override
        public void onDisconnected() {
            become(Outcome.DISCONNECTED);
        }

        @Override
        public void onClosed() {}
    }

    /** One run: a client, a server, a plan, and a seed for everything that is left to chance. */
    private static final class Run {
        private final Plan plan;
        private final Courier courier;
        private final Seed chance;
        private final End client = new End(0x11);
        private final End server = new End(0x12);

        Run(Plan plan, Seed seed, LinkFaults faults) {
            this.plan = plan;
            this.chance = seed.fork("consumers");
            this.courier = new Courier(seed, faults);
        }

        void go() {
            boolean meeting = plan == Plan.PEER_TO_PEER;
            Acceptor acceptor = acceptor();
            if (!meeting && plan != Plan.NOBODY_LISTENS) {
                courier.b.conversations.listen(SERVICE, acceptor);
            }
            client.conversation = courier.a.conversations.connect(
                    courier.b.address, client, id -> request(id, client.queuePair, courier.a.guid()), meeting);
            if (meeting) {
                later(
                        chance.nextInt(50),
                        () -> server.conversation = courier.b.conversations.connect(
                                courier.a.address,
                                server,
                                id -> request(id, server.queuePair, courier.b.guid()),
                                true));
            }
            if (plan == Plan.CLIENT_GIVES_UP) {
                later(chance.nextInt(6_000), () -> giveUp(client));
            }
            drive();
            courier.b.conversations.stopListening(SERVICE, acceptor);
        }

        private void later(int milliseconds, Runnable what) {
            courier.wheel.schedule(
                    new WheelTimer(nowNs -> what.run()), courier.clock.nowNs() + milliseconds * 1_000_000L);
        }

        private void giveUp(End end) {
            if (end.outcome == Outcome.NOTHING) {
                end.conversation().disconnect(PrivateData.NONE);
                end.become(Outcome.TIMED_OUT);
            }
        }

        private Acceptor acceptor() {
            return new Acceptor() {
                @Override
                public boolean hasRoom() {
                    return true;
                }

                @Override
                public void onRequest(Conversation conversation, Req request) {
                    // A copy of the request that comes when all is over is a request of its own.
                    End end = server.conversation == null ? server : new End(0x13);
                    end.conversation = conversation;
                    conversation.owner(end);
                    int delay = plan == Plan.SLOW_SERVER ? 10_000 + chance.nextInt(20_000) : chance.nextInt(3);
                    later(delay, () -> answer(conversation));
                }

                @Override
                public void onClosed() {}
            };
        }

        private void answer(Conversation conversation) {
            if (conversation.state() != Conversation.State.REQ_RECEIVED) {
                return;
            }
            if (plan == Plan.SERVER_REFUSES) {
                conversation.refuse(RejectReason.CONSUMER, PrivateData.NONE, PrivateData.of((byte) 1));
            } else {
                conversation.accept(reply(conversation, server.queuePair));
                if (plan == Plan.DATA_BEFORE_READY) {
                    later(chance.nextInt(40), this::dataArrive);
                }
            }
        }

        /** Only an established end sends data. */
        private void dataArrive() {
            if (client.outcome == Outcome.ESTABLISHED) {
                server.conversation().onCommunication();
            }
        }

        private void drive() {
            boolean asked = false;
            int steps = 0;
            while (courier.step()) {
                assertTrue(steps++ < STEPS_MAX, "a run that does not end");
                if (!asked && client.wasEstablished && server.wasEstablished) {
                    asked = true;
                    later(chance.nextInt(30), this::end);
                }
            }
        }

        private void end() {
            if (plan != Plan.SERVER_ENDS) {
                client.conversation().disconnect(PrivateData.NONE);
            }
            if (plan == Plan.SERVER_ENDS || plan == Plan.BOTH_END) {
                server.conversation().disconnect(PrivateData.NONE);
            }
        }

        /** What must hold whatever was lost. */
        void judge() {
            assertTrue(courier.idle());
            assertEquals(0, courier.a.conversations.remembered());
            assertEquals(0, courier.b.conversations.remembered());
            if (plan != Plan.PEER_TO_PEER) {
                assertFalse(server.wasEstablished && !client.wasEstablished, "established at one end only");
            }
            boolean bothEstablished = client.wasEstablished && server.wasEstablished;
            if (bothEstablished) {
                assertEquals(Outcome.DISCONNECTED, client.outcome);
                assertEquals(Outcome.DISCONNECTED, server.outcome);
            }
        }
    }

    private static Map<Outcome, Integer> many(Plan plan, LinkFaults faults, int runs) {
        var outcomes = new EnumMap<Outcome, Integer>(Outcome.class);
        for (int i = 0; i < runs; i++) {
            Run run = new Run(plan, new Seed(i).fork(plan.name()), faults);
            try {
                run.go();
                run.judge();
            } catch (AssertionError e) {
                throw new AssertionError("plan " + plan + ", seed " + i + ", " + faults, e);
            }
            outcomes.merge(run.client.outcome, 1, Integer::sum);
        }
        return outcomes;
    }

    @Test
    void withoutFaultsEveryPlanSucceeds() {
        for (Plan plan : Plan.values()) {
            Outcome expected = switch (plan) {
                case SERVER_REFUSES, NOBODY_LISTENS -> Outcome.REFUSED;
                default -> Outcome.DISCONNECTED;
            };
            if (plan != Plan.CLIENT_GIVES_UP) {
                assertEquals(Map.of(expected, 50), many(plan, LinkFaults.NONE, 50), plan.name());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.3})
    void withFaultsEveryRunEndsWell(double rate) {
        LinkFaults faults = new LinkFaults(rate, rate, rate, 0);
        for (Plan plan : Plan.values()) {
            Map<Outcome, Integer> outcomes = many(plan, faults, 1_000);
            int good = switch (plan) {
                case SERVER_REFUSES, NOBODY_LISTENS -> outcomes.getOrDefault(Outcome.REFUSED, 0);
                case CLIENT_GIVES_UP -> 1_000;
                default -> outcomes.getOrDefault(Outcome.DISCONNECTED, 0);
            };
            // Sixteen tries at 30 % loss fail once in 10^8.
            assertTrue(good >= 998, () -> plan + " at " + rate + ": " + outcomes);
        }
    }

    @Test
    void lossOfAllMessagesEndsInTimeouts() {
        for (Plan plan : List.of(Plan.CLIENT_ENDS, Plan.PEER_TO_PEER)) {
            assertEquals(Map.of(Outcome.TIMED_OUT, 5), many(plan, LinkFaults.loss(1), 5));
        }
    }

    /** A repeated request means that the reply got lost: the reply is repeated at once. */
    @Test
    void aRepeatedRequestHasTheReplyRepeated() {
        Courier courier = new Courier(new Seed(6), LinkFaults.NONE);
        End client = new End(1);
        End server = new End(2);
        courier.b.conversations.listen(SERVICE, acceptAtOnce(server));
        client.conversation = courier.a.conversations.connect(
                courier.b.address, client, id -> request(id, 1, courier.a.guid()), false);
        while (server.conversation == null) {
            courier.step();
        }
        courier.dropAll();
        long startNs = courier.clock.nowNs();
        MemorySegment again = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        client.conversation().request().writeMad(again, 0, 1);
        courier.b.conversations.receive(courier.a.address, again);
        while (server.outcome == Outcome.NOTHING) {
            courier.step();
        }
        assertTrue(courier.clock.nowNs() - startNs < 1_000_000_000L, "at once");
    }

    private static Acceptor acceptAtOnce(End server) {
        return new Acceptor() {
            @Override
            public boolean hasRoom() {
                return true;
            }

            @Override
            public void onRequest(Conversation conversation, Req request) {
                server.conversation = conversation;
                conversation.owner(server);
                conversation.accept(reply(conversation, server.queuePair));
            }

            @Override
            public void onClosed() {}
        };
    }

    /** Lost "ready to use": the reply comes again and is answered again. */
    @Test
    void aLostReadyToUseIsRepeatedOrImpliedByData() {
        for (boolean data : List.of(true, false)) {
            Courier courier = new Courier(new Seed(5), LinkFaults.NONE);
            End client = new End(1);
            End server = new End(2);
            courier.b.conversations.listen(SERVICE, acceptAtOnce(server));
            client.conversation = courier.a.conversations.connect(
                    courier.b.address, client, id -> request(id, 1, courier.a.guid()), false);
            while (client.outcome == Outcome.NOTHING) {
                courier.step();
            }
            courier.dropAll();
            assertEquals(Conversation.State.REP_SENT, server.conversation().state());
            long startNs = courier.clock.nowNs();
            if (data) {
                server.conversation().onCommunication();
            }
            for (int i = 0; i < 100 && server.outcome == Outcome.NOTHING; i++) {
                courier.step();
            }
            long waitedNs = courier.clock.nowNs() - startNs;
            assertTrue(data ? waitedNs == 0 : waitedNs > 4_000_000_000L, () -> "after " + waitedNs + " ns");
            assertEquals(Outcome.ESTABLISHED, server.outcome);
            client.conversation().disconnect(PrivateData.NONE);
            while (courier.step()) {}
            assertEquals(Outcome.DISCONNECTED, server.outcome);
        }
    }
}
