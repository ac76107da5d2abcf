package org.verbena.services.lan;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.services.lan.wire.AttachReply;
import org.verbena.services.lan.wire.AttachRequest;
import org.verbena.services.lan.wire.ConfigFields;
import org.verbena.services.lan.wire.LanOperation;
import org.verbena.services.lan.wire.LanStatus;
import org.verbena.services.push.ServiceConnection;
import org.verbena.services.push.ServiceHandler;
import org.verbena.services.push.ServiceReply;

/** One connection of a host to its unit, from the attempt to the end: attaches the host, and asks the unit what the program wants to know. */
final class HostSession implements ServiceHandler {
    /** The driver, as a session sees it. */
    interface Owner {
        /** The session is open, and attaches. */
        void onConfiguring();

        /** The unit has attached the host; a reason if the host cannot use it. */
        @Nullable
        String onAttached(AttachReply reply);

        /** Frames can go both ways. */
        void onUp();

        /** The unit's LAN is up, or down. */
        void onLink(boolean up);

        /** A datum of the unit. */
        void onFrame(MemorySegment memory, long offset, int length);

        /** The session is over. */
        void onOver(HostSession session, String reason);
    }

    /** Takes a reply to a request, or the reason why there is none. */
    interface Answer {
        /** The unit has done it. */
        void onDone(MemorySegment reply, long offset, int length);

        /** The unit has refused it, or the session is over. */
        void onRefused(String reason);
    }

    private final Owner owner;
    private final MemorySegment message;
    private final AttachRequest attach;
    private final List<Wish> wishes;
    private final Map<Long, Answer> answers = new HashMap<>();
    private @Nullable ServiceConnection connection;
    private int wishesOpen;

    /**
     * A request that follows ATTACH before frames go.
     *
     * @param operation its operation
     * @param write writes its data, and tells how many bytes they are
     */
    record Wish(int operation, ToIntFunction<MemorySegment> write) {}

    HostSession(Owner owner, MemorySegment message, AttachRequest attach, List<Wish> wishes) {
        this.owner = owner;
        this.message = message;
        this.attach = attach;
        this.wishes = wishes;
    }

    void connection(ServiceConnection made) {
        connection = made;
    }

    /** The connection; null while it is being made. */
    @Nullable
    ServiceConnection connection() {
        return connection;
    }

    void abort(String reason) {
        if (connection != null) {
            connection.abort(reason);
        }
    }

    /** Asks the unit for something. */
    void ask(int operation, ToIntFunction<MemorySegment> write, Answer answer) {
        ServiceConnection open = connection;
        long context = open == null ? 0 : open.request(operation, message, 0, write.applyAsInt(message));
        if (context == 0) {
            answer.onRefused("too many requests have no reply yet");
        } else {
            answers.put(context, answer);
        }
    }

    // --- events of the connection

    @Override
    public void onOpen() {
        owner.onConfiguring();
        ask(LanOperation.ATTACH, memory -> attach.write(memory, 0), new Answer() {
            @Override
            public void onDone(MemorySegment reply, long offset, int length) {
                attached(AttachReply.read(reply, offset, length));
            }

            @Override
            public void onRefused(String reason) {
                abort("the unit does not attach the host: " + reason);
            }
        });
    }

    private void attached(@Nullable AttachReply reply) {
        String trouble = reply == null ? "the unit's reply to ATTACH is malformed" : owner.onAttached(reply);
        if (trouble != null) {
            abort(trouble);
            return;
        }
        wishesOpen = wishes.size();
        wishes.forEach(wish -> ask(wish.operation(), wish.write(), new Answer() {
            @Override
            public void onDone(MemorySegment ignored, long offset, int length) {
                wishDone();
            }

            @Override
            public void onRefused(String reason) {
                wishDone();
            }
        }));
        if (wishes.isEmpty()) {
            owner.onUp();
        }
    }

    /** A wish that the new unit refuses does not keep the host from the LAN. */
    private void wishDone() {
        if (--wishesOpen == 0) {
            owner.onUp();
        }
    }

    @Override
    public void onData(MemorySegment memory, long offset, int length) {
        owner.onFrame(memory, offset, length);
    }

    @Override
    public int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
        if (operation != LanOperation.LINK_STATE) {
            return LanStatus.UNKNOWN;
        }
        int up = ConfigFields.readNumber(request, offset, length);
        if (up != 0 && up != 1) {
            return LanStatus.MALFORMED;
        }
        owner.onLink(up == 1);
        return LanStatus.OK;
    }

    @Override
    public void onReply(long context, int status, MemorySegment reply, long offset, int length) {
        Answer answer = answers.remove(context);
        if (answer == null) {
            return;
        }
        if (status == LanStatus.OK) {
            answer.onDone(reply, offset, length);
        } else {
            answer.onRefused(ConfigFields.readReason(reply, offset, length) + " (status " + status + ")");
        }
    }

    @Override
    public void onClosed(String reason) {
        List<Answer> open = new ArrayList<>(answers.values());
        answers.clear();
        wishesOpen = -1;
        owner.onOver(this, reason);
        open.forEach(answer -> answer.onRefused("the connection is over: " + reason));
    }
}
