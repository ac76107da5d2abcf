package org.verbena.link;

/**
 * How packets of a {@link LinkPath} travel through their subnet, on a link with {@link Framing#INFINIBAND}.
 *
 * @param sourceLid local identifier that packets leave from
 * @param destinationLid local identifier of the destination, or of the router on the way to it
 * @param serviceLevel of the packets
 * @param local whether the destination is in the same subnet
 */
public record SubnetRoute(int sourceLid, int destinationLid, int serviceLevel, boolean local) {}
