package org.verbena.verbs;

import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.link.Endpoint;
import org.verbena.memory.ProtectionDomain;

/**
 * A destination of datagrams, prepared once: a port, or a multicast group. Requests that are posted with it and not yet
 * done when it is closed fail.
 */
public final class AddressHandle implements AutoCloseable {
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final Endpoint remote;
    private final Route route;
    private final int handle;
    private final AtomicBoolean closed = new AtomicBoolean();

    AddressHandle(Adapter adapter, ProtectionDomain domain, Endpoint remote, Route route, int handle) {
        this.adapter = adapter;
        this.domain = domain;
        this.remote = remote;
        this.route = route;
        this.handle = handle;
    }

    public Endpoint remote() {
        return remote;
    }

    public Route route() {
        return route;
    }

    /** Its number in the adapter. */
    int number() {
        return handle;
    }

    /** Refuses it if it is closed, or not for queue pairs of this domain. */
    void requireUsable(ProtectionDomain of) {
        if (closed.get()) {
            throw new IllegalStateException("the address handle for " + remote + " is closed");
        }
        if (of != domain) {
            throw new IllegalArgumentException(
                    "the address handle for " + remote + " is of " + domain + ", the queue pair of " + of);
        }
    }

    /** Largest datagram to it. */
    int lengthMax() {
        return adapter.mtuMax().bytes();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            adapter.release(handle, domain);
        }
    }

    @Override
    public String toString() {
        return "address handle for " + remote;
    }
}
