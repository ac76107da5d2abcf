package org.verbena.verbs;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.memory.ProtectionDomain;

/**
 * A destination of datagrams, prepared once: a port, or a multicast group. Made by {@link Adapter#createAddressHandle}.
 * Any thread may use it.
 */
public final class AddressHandle implements AutoCloseable {
    private final ProtectionDomain domain;
    private final Endpoint remote;
    private final Route route;
    private final int number;
    private final int lengthMax;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A handle of {@code domain}.
     *
     * @param number that the engine knows it by
     * @param lengthMax bytes of the longest datagram to it
     * @param onClose run once, when it is closed
     */
    AddressHandle(ProtectionDomain domain, Endpoint remote, Route route, int number, int lengthMax, Runnable onClose) {
        this.domain = domain;
        this.remote = remote;
        this.route = route;
        this.number = number;
        this.lengthMax = lengthMax;
        this.onClose = onClose;
    }

    /** Address and UDP port of the destination, as given when the handle was made. */
    public Endpoint remote() {
        return remote;
    }

    /** The route that datagrams take, as given when the handle was made. */
    public Route route() {
        return route;
    }

    /** Its number in the adapter. */
    int number() {
        return number;
    }

    /** Refuses a closed handle, and one that is not of this domain; null does not compare domains. */
    void requireUsable(@Nullable ProtectionDomain of) {
        if (closed.get()) {
            throw new IllegalStateException("the address handle for " + remote + " is closed");
        }
        if (of != null && !of.equals(domain)) {
            throw new IllegalArgumentException(
                    "the address handle for " + remote + " is of " + domain + ", the queue pair of " + of);
        }
    }

    /** Bytes of the longest datagram to it. */
    int lengthMax() {
        return lengthMax;
    }

    /**
     * Gives the handle back to its adapter. Requests that were posted with it and are not done fail with {@code
     * LOCAL_QUEUE_PAIR_OPERATION_ERROR}; later posts with it are refused. A second call does nothing. Any thread.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }

    @Override
    public String toString() {
        return "address handle for " + remote;
    }
}
