package org.verbena.adapter.ib.reliable;

import java.util.Locale;
import org.verbena.EventKind;
import org.verbena.adapter.Commands;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Faults;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.memory.protection.ProtectionTable;

/**
 * Tells the consumer of a connection whose peer may give up a read before a page fault ends. A read that waits for a page is silence for the
 * peer, whose ACK timeout goes on. The peer is taken to have the timeout and the retries of this end: the communication manager gives
 * both ends the same.
 *
 * <p>The consumer is told once for each connection, and only if the adapter has registered paged memory: when the connection begins, or when the
 * first read waits.
 */
final class PeerPatience {
    private final ReliableConnection connection;
    private final Commands commands;
    private final Faults faults;
    private final ProtectionTable memory;
    private long patienceNs = Long.MAX_VALUE;
    private boolean told;

    PeerPatience(ReliableConnection connection, EngineParts parts) {
        this.connection = connection;
        this.commands = parts.commands();
        this.faults = parts.faults();
        this.memory = parts.memory();
    }

    /** A connection begins. */
    void begin(SendParameters parameters) {
        patienceNs = parameters.patienceNs();
        told = false;
        tellIfShort();
    }

    /** A read of the peer waits for a page. */
    void onWait() {
        tellIfShort();
    }

    /** The event follows in the next turn: a watcher of it may end the connection. */
    private void tellIfShort() {
        long limitNs = faults.limitNs();
        if (told || patienceNs > limitNs || !memory.hasPaged()) {
            return;
        }
        told = true;
        commands.submit(() -> {
            if (connection.takesPackets()) {
                connection.event(EventKind.TIMEOUT_BELOW_FAULT_LIMIT, detail(limitNs));
            }
        });
    }

    private String detail(long limitNs) {
        return String.format(
                Locale.ROOT,
                "%s gives up a read after %.2f s without an answer; a page fault may last %.2f s",
                connection.peer(),
                patienceNs / 1e9,
                limitNs / 1e9);
    }
}
