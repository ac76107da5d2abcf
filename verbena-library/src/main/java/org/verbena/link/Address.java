package org.verbena.link;

/**
 * A place that packets come from or go to, as numbers: 128 bits and a port. Two addresses of one link are the same place if and only if the
 * three numbers are equal, so that a packet's addresses are compared without an object.
 *
 * <p>The kind of link decides the kind of address and the meaning of the numbers: {@link Endpoint} is the IP one. Implementations are
 * immutable, have {@code equals} and {@code hashCode} by value, and print as people write them.
 */
public interface Address {
    /** The first 64 bits. */
    long high();

    /** The last 64 bits. */
    long low();

    /** The port: a UDP port for IP; a number in 0 … 65535 for every kind. */
    int port();
}
