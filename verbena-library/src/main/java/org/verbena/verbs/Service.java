package org.verbena.verbs;

import java.util.EnumSet;
import java.util.Set;
import org.verbena.Operation;

/** The service of a queue pair: how messages travel, and which requests can be posted (see {@link QueuePair#post(WorkRequest.Sending)}). */
public enum Service {
    /** Reliable connection: each message to the one peer arrives once and in order, or the queue pair fails. */
    RC,
    /** Unreliable connection: a message to the one peer arrives whole or not at all; the sender is not told. */
    UC,
    /** Unreliable datagram: messages of one packet to each port and each group that has an address handle. */
    UD,
    /** Raw datagram: packets of one EtherType, over links within the process only. */
    RAW;

    private static final Set<Operation> UNRELIABLE = EnumSet.of(
            Operation.SEND,
            Operation.SEND_WITH_IMMEDIATE,
            Operation.WRITE,
            Operation.WRITE_WITH_IMMEDIATE,
            Operation.BIND_WINDOW,
            Operation.LOCAL_INVALIDATE,
            Operation.REGISTER);

    /** Refuses a request that this service does not take. */
    void require(Operation operation) {
        if (!has(operation)) {
            throw new IllegalArgumentException("service " + this + " has no " + operation
                    + (this == UD ? "; post SendDatagram or SendDatagramWithImmediate" : ""));
        }
    }

    /** Refuses a raw packet unless the queue pair has an EtherType. */
    void requireRaw() {
        if (this != RAW) {
            throw new IllegalArgumentException("service " + this + " has no raw packets");
        }
    }

    /** Refuses a datagram unless the service has address handles. */
    void requireDatagrams() {
        if (this != UD) {
            throw new IllegalArgumentException("service " + this + " has no datagrams; post Send");
        }
    }

    private boolean has(Operation operation) {
        return switch (this) {
            case RC -> true;
            case UC -> UNRELIABLE.contains(operation);
            case UD, RAW -> false;
        };
    }
}
