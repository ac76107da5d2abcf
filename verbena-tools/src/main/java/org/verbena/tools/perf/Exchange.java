package org.verbena.tools.perf;

import org.verbena.tools.console.ToolException;

/** One message at a time between two ends that answer each other. One thread. */
sealed interface Exchange permits MessageExchange, MemoryExchange, ResponseExchange {
    /** How an end of this operation notices that the other one's message has come. */
    static Exchange of(Side side, SideAddress peer, Tally tally) {
        return switch (side.plan().operation()) {
            case SEND, WRITE_IMM -> new MessageExchange(side, peer, tally);
            case WRITE -> new MemoryExchange(side, peer, tally);
            case READ, FETCH_ADD, COMPARE_SWAP -> new ResponseExchange(side, peer, tally);
        };
    }

    /** Sends a message; false, and nothing sent, while an earlier one may still need its slot: look for arrivals, try again. */
    boolean post(long message);

    /** Looks once, without waiting, whether the peer's message of this number has come. */
    boolean hasArrived(long message);

    /** Whether arrival has no completion: the receiver polls its memory. */
    boolean watchesMemory();

    static ToolException queueFull() {
        return new ToolException("the send queue is full though one message is outstanding at a time");
    }
}
