package org.verbena.adapter.iwarp.port;

import java.util.ArrayList;
import java.util.List;
import org.verbena.wire.iwarp.CapturedMessage;
import org.verbena.wire.iwarp.CapturedStream;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.RdmapOpcode;

/**
 * A captured connection, with the side that an adapter replaces.
 *
 * @param own the side that is replaced
 * @param peer the other side
 */
record CapturedConversation(CapturedUnits own, CapturedUnits peer) {
    /** All connections of all captures, each side replaced once. */
    static List<CapturedConversation> all() {
        var found = new ArrayList<CapturedConversation>();
        for (String capture : CapturedStream.captures()) {
            List<CapturedUnits> sides = CapturedUnits.of(capture);
            for (int i = 0; i < sides.size(); i += 2) {
                found.add(new CapturedConversation(sides.get(i), sides.get(i + 1)));
                found.add(new CapturedConversation(sides.get(i + 1), sides.get(i)));
            }
        }
        return found;
    }

    String capture() {
        return own.stream().capture();
    }

    boolean isInitiator() {
        return own.stream().initiator();
    }

    /** Whether one of the two ends the connection by a terminate message. */
    boolean isTerminated() {
        return terminates(own) || terminates(peer);
    }

    /** Whether the replaced side ends the connection by a terminate message. */
    boolean refuses() {
        return terminates(own);
    }

    private static boolean terminates(CapturedUnits side) {
        return CapturedMessage.of(side).stream().anyMatch(message -> message.opcode() == RdmapOpcode.TERMINATE);
    }

    @Override
    public String toString() {
        return capture() + ", port " + own.stream().sourcePort() + ", as "
                + (isInitiator() ? "initiator" : "responder");
    }
}
