package org.verbena.verbs;

import org.verbena.adapter.pair.RequestOpcodes;
import org.verbena.queue.Operation;

/** What a queue pair promises its consumer, and what can be posted to it. */
public enum Service {
    /** Reliable connection: everything arrives, once and in order, or the queue pair fails. */
    RC,
    /** Unreliable connection: a message to the one peer arrives whole or not at all, and nobody is told. */
    UC;

    /** Refuses a request that this service can't do. */
    void require(Operation operation) {
        if (this != RC && !has(operation)) {
            throw new IllegalArgumentException("service " + this + " has no " + operation);
        }
    }

    private boolean has(Operation operation) {
        return operation.isLocal() || opcodes().has(operation);
    }

    private RequestOpcodes opcodes() {
        return switch (this) {
            case RC -> RequestOpcodes.RELIABLE;
            case UC -> RequestOpcodes.UNRELIABLE;
        };
    }
}
