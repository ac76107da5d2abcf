package org.verbena.verbs;

import org.verbena.link.Endpoint;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;

/** Makes the destinations of datagrams of one adapter. Any thread. */
final class AddressHandles {
    private final Adapter adapter;
    private final LocalAdapter local;
    private final ProtectionTable memory;
    private final QueuePairs queuePairs;

    AddressHandles(Adapter adapter, LocalAdapter local, ProtectionTable memory, QueuePairs queuePairs) {
        this.adapter = adapter;
        this.local = local;
        this.memory = memory;
        this.queuePairs = queuePairs;
    }

    AddressHandle create(ProtectionDomain domain, Endpoint remote, Route route) {
        queuePairs.requireOpen();
        if (!memory.owns(domain)) {
            throw new IllegalArgumentException(domain + " belongs to another adapter than " + adapter.name());
        }
        memory.hold(domain);
        int number;
        try {
            number = local.addDestination(domain, remote, route);
        } catch (RuntimeException e) {
            memory.release(domain);
            throw e;
        }
        int lengthMax = local.mtuMax().bytes();
        return new AddressHandle(domain, remote, route, number, lengthMax, () -> release(number, domain));
    }

    private void release(int number, ProtectionDomain domain) {
        memory.release(domain);
        if (queuePairs.isOpen()) {
            local.removeDestination(number);
        }
    }
}
