package org.verbena.connect.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/** Two ends that connect and exchange data at connect, in virtual time. */
final class Talk {
    private static final long SERVICE = ServiceId.tcp(7174);
    private static final int STEPS_MAX = 200_000;

    /** One end. An end without data does not want the exchange. */
    static final class End implements Party, DataExchange.Owner {
        final @Nullable PrivateData own;
        final List<String> told = new ArrayList<>();

        @Nullable
        Conversation conversation;

        @Nullable
        DataExchange exchange;

        @Nullable
        PrivateData theirs;

        End(@Nullable PrivateData own) {
            this.own = own;
        }

        Conversation conversation() {
            return Objects.requireNonNull(conversation);
        }

        private void converse(Conversation with) {
            conversation = with;
            if (own != null) {
                exchange = with.exchange(own, this);
            }
        }

        @Override
        public void onPeerRequest(Req request) {}

        @Override
        public void onReply(Rep reply) {
            conversation().ready(PrivateData.NONE);
        }

        @Override
        public void onEstablished() {}

        @Override
        public void onRefused(Rej rejection) {
            told.add("refused");
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
        public void onClosed() {}

        @Override
        public void onExchanged(PrivateData data) {
            told.add("exchanged");
            theirs = data;
        }

        @Override
        public void onDataRefused(int status) {
            told.add("data refused " + Integer.toHexString(status));
        }

        @Override
        public void onDataUnanswered() {
            told.add("data unanswered");
        }
    }

    final Courier courier;
    final End client;
    final End server;
    private final Acceptor acceptor = new Accepting();

    Talk(Seed seed, LinkFaults faults, @Nullable PrivateData clients, @Nullable PrivateData servers) {
        courier = new Courier(seed, faults);
        client = new End(clients);
        server = new End(servers);
        courier.b.conversations.listen(SERVICE, acceptor);
    }

    void connect() {
        client.converse(courier.a.conversations.connect(
                courier.b.address, client, id -> LossTest.request(id, 0x11, courier.a.guid()), false));
    }

    /** Lets time pass until both ends have been told something. */
    Talk untilBothAreTold() {
        for (int i = 0; (client.told.isEmpty() || server.told.isEmpty()) && i < STEPS_MAX && courier.step(); i++) {}
        return this;
    }

    /** Lets time pass until the end has been told something; fails if that never happens. */
    void untilTold(End end) {
        for (int i = 0; end.told.isEmpty(); i++) {
            assertTrue(i < STEPS_MAX && courier.step(), "an end is never told anything");
        }
    }

    /** Lets everything happen that can still happen. */
    void drain() {
        for (int i = 0; i < STEPS_MAX && courier.step(); i++) {}
    }

    /** Ends the connection at both ends, and the listener; gives the number of things that are remembered then. */
    int rememberedAfterTheEnd() {
        client.conversation().disconnect(PrivateData.NONE);
        drain();
        courier.b.conversations.stopListening(SERVICE, acceptor);
        return courier.a.conversations.remembered() + courier.b.conversations.remembered();
    }

    private final class Accepting implements Acceptor {
        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void onRequest(Conversation conversation, Req request) {
            if (server.conversation != null) { // a copy of a request, that comes when all is over
                conversation.owner(server);
                conversation.refuse(RejectReason.CONSUMER, PrivateData.NONE, PrivateData.NONE);
                return;
            }
            conversation.owner(server);
            server.converse(conversation);
            conversation.accept(LossTest.reply(conversation, 0x12));
        }

        @Override
        public void onClosed() {}
    }
}
