package org.verbena.services.push;

/** Takes service connections of peers. */
@FunctionalInterface
public interface ServiceAcceptor {
    /**
     * A peer connects. The connection is not open yet: {@link ServiceHandler#onOpen} tells when it is.
     *
     * @return the user of the connection
     */
    ServiceHandler onConnection(ServiceConnection connection);
}
