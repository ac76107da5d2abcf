package org.verbena.verbs;

import org.verbena.adapter.ib.message.RequestOpcodes;
import org.verbena.queue.Operation;

/** What a queue pair promises its consumer, and what can be posted to it. */
public enum Service {
    /** Reliable connection: everything arrives, once and in order, or the queue pair fails. */
    RC,
    /** Unreliable connection: a message to the one peer arrives whole or not at all, and nobody is told. */
    UC,
    /** Unreliable datagram: messages of one packet to anybody there is an address handle for, and to groups. */
    UD,
    /** Raw datagram: packets of one EtherType, over links within the process only. */
    RAW;

    /** Refuses a request that this service can't do. */
    void require(Operation operation) {
        if (!has(operation)) {
            throw new IllegalArgumentException("service " + this + " has no " + operation
                    + (this == UD ? "; post SendDatagram or SendDatagramWithImmediate" : ""));
        }
    }

    /** Refuses a raw packet where there is no EtherType for it. */
    void requireRaw() {
        if (this != RAW) {
            throw new IllegalArgumentException("service " + this + " has no raw packets");
        }
    }

    /** Refuses a datagram where there is no address to send it to. */
    void requireDatagrams() {
        if (this != UD) {
            throw new IllegalArgumentException("service " + this + " has no datagrams; post Send");
        }
    }

    private boolean has(Operation operation) {
        return switch (this) {
            case RC -> true;
            case UC -> operation.isLocal() || RequestOpcodes.UNRELIABLE.has(operation);
            case UD, RAW -> false;
        };
    }
}
