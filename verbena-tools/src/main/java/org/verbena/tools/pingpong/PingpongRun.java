package org.verbena.tools.pingpong;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.tools.console.Figures;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Completion;

/** The rounds: the client sends first, each end sends again when it has both received and sent. */
final class PingpongRun {
    /** How long the peer may take for a message; one lost on an unreliable service never comes. */
    private static final long PATIENCE_NS = 30_000_000_000L;

    private static final int PAGE = 4096;
    private static final int CLOCK_MASK = 1023;

    private final PingpongEnd end;
    private final PingpongPlan plan;
    private final boolean client;
    private final boolean lossy;
    private final StopSign stop;
    private int receives;
    private int received;
    private int sent;
    private long pending = PingpongEnd.RECEIVE;
    private long beganNs;
    private long endedNs;
    private @Nullable String wrong;

    /** @param lossy packets are lost on purpose: a peer that is done may leave before it has acknowledged the last message */
    PingpongRun(PingpongEnd end, PingpongPlan plan, boolean client, boolean lossy, StopSign stop) {
        this.end = end;
        this.plan = plan;
        this.client = client;
        this.lossy = lossy;
        this.stop = stop;
    }

    /** Posts receives, before the peer may know of this end. */
    void prepare() {
        for (; receives < plan.receives(); receives++) {
            end.postReceive();
        }
    }

    /** Carries it out on the calling thread. */
    void run() {
        beganNs = System.nanoTime();
        if (client) {
            send();
        }
        long heardNs = beganNs;
        int idle = 0;
        while (received < plan.rounds() || sent < plan.rounds()) {
            Completion completion = end.poll();
            if (completion != null) {
                onCompletion(completion);
                heardNs = System.nanoTime();
            } else if (plan.events() || (++idle & CLOCK_MASK) == 0) {
                requirePatience(heardNs);
            }
        }
        endedNs = System.nanoTime();
    }

    private void requirePatience(long heardNs) {
        if (stop.isRaised()) {
            throw new ToolException("interrupted after " + received + " of " + plan.rounds() + " messages");
        }
        if (System.nanoTime() - heardNs > PATIENCE_NS) {
            throw new ToolException("nothing from the peer for " + PATIENCE_NS / 1_000_000_000 + " s, after " + received
                    + " of " + plan.rounds() + " messages");
        }
    }

    private void onCompletion(Completion completion) {
        if (!completion.status().success() && !isLastWord(completion)) {
            throw new ToolException((completion.id() == PingpongEnd.SEND ? "a send" : "a receive") + " ended with "
                    + completion.status().text() + ", after " + received + " of " + plan.rounds() + " messages");
        }
        if (completion.id() == PingpongEnd.SEND) {
            sent++;
        } else {
            received++;
            onMessage(completion);
        }
        pending &= ~completion.id();
        if (sent < plan.rounds() && pending == 0) {
            send();
        }
    }

    /** Everything has arrived but the acknowledgement of the last message; the peer reports whether it got that message. */
    private boolean isLastWord(Completion completion) {
        return lossy && completion.id() == PingpongEnd.SEND && received == plan.rounds() && sent == plan.rounds() - 1;
    }

    private void onMessage(Completion completion) {
        if (plan.check()) {
            check(completion);
        }
        // As many as before, when only one is left: the peer has one message under way at most.
        if (--receives <= 1) {
            prepare();
        }
    }

    private void send() {
        if (client && plan.check()) {
            end.incoming().fill((byte) 0);
            fill(end.outgoing(), sent);
        }
        end.postSend();
        pending = PingpongEnd.RECEIVE | PingpongEnd.SEND;
    }

    /** Bytes that are like no other message's, but for the zero at the start of each page that the original looks for. */
    private static void fill(MemorySegment message, int round) {
        for (int i = 0; i < message.byteSize(); i++) {
            message.set(ValueLayout.JAVA_BYTE, i, i % PAGE == 0 ? 0 : (byte) (1 + round + i + (i >> 8)));
        }
    }

    /** A server sends the received message back: the client checks every byte, the server those that rdma-core writes. */
    private void check(Completion completion) {
        MemorySegment message = end.incoming();
        long mismatch = -1;
        long length = completion.byteLength() - plan.headerLength();
        if (length != plan.size()) {
            mismatch = length;
        } else if (client) {
            mismatch = message.mismatch(end.outgoing());
        } else {
            for (int i = 0; i < plan.size() && mismatch < 0; i += PAGE) {
                mismatch = message.get(ValueLayout.JAVA_BYTE, i) == 0 ? -1 : i;
            }
        }
        if (mismatch >= 0 && wrong == null) {
            wrong = "message " + received + ": byte " + mismatch + " of " + plan.size() + " is wrong";
        }
    }

    /** The first error in a received message; null if there is none, or messages are not checked. */
    @Nullable
    String wrong() {
        return wrong;
    }

    /** The two lines of the original. */
    String report() {
        double microseconds = Math.max(1, endedNs - beganNs) / 1e3;
        long bytes = 2L * plan.size() * plan.rounds();
        return Figures.format(
                "%d bytes in %.2f seconds = %.2f Mbit/sec%n%d iters in %.2f seconds = %.2f usec/iter",
                bytes,
                microseconds / 1e6,
                bytes * 8 / microseconds,
                plan.rounds(),
                microseconds / 1e6,
                microseconds / plan.rounds());
    }
}
