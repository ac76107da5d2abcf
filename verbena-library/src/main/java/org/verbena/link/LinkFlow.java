package org.verbena.link;

import org.jspecify.annotations.Nullable;

/**
 * How packets of a {@link LinkPath} are to travel.
 *
 * @param entropy spreads flows over the parallel ways of a network, for UDP by the source port; flows of the same entropy share one way
 * @param trafficClass traffic class of IPv6 and of a global route header, or type of service of IPv4, 0 … 255: DSCP in the upper six bits, ECN in the lower two
 * @param hopLimit hop limit of IPv6 and of a global route header, or time to live of IPv4, 1 … 255
 * @param serviceLevel of InfiniBand, 0 … 15, or {@link #MANAGED}; other links ignore it
 * @param source the local address that packets leave from, its port aside; null: the link chooses, for IP the first of the destination's family
 */
public record LinkFlow(
        int entropy,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        @Nullable Address source) {
    /** The default hop limit. */
    public static final int HOP_LIMIT = 64;

    /** The service level that the management of the subnet gives for the path. */
    public static final int MANAGED = -1;

    private static final int LEVEL_MAX = 15;

    public LinkFlow {
        if (trafficClass < 0 || trafficClass > 0xff) {
            throw new LinkException("traffic class " + trafficClass + " found, 0 … 255 expected");
        }
        if (hopLimit < 1 || hopLimit > 0xff) {
            throw new LinkException("hop limit " + hopLimit + " found, 1 … 255 expected");
        }
        if (serviceLevel < MANAGED || serviceLevel > LEVEL_MAX) {
            throw new LinkException("service level " + serviceLevel + " found, 0 … " + LEVEL_MAX + ", or " + MANAGED
                    + " for the path's own, expected");
        }
    }

    /** A flow with the path's own service level, whose source the link chooses. */
    public LinkFlow(int entropy, int trafficClass, int hopLimit) {
        this(entropy, trafficClass, hopLimit, MANAGED, null);
    }

    /** A flow with the default traffic class, hop limit, service level and source. */
    public static LinkFlow of(int entropy) {
        return new LinkFlow(entropy, 0, HOP_LIMIT);
    }

    public LinkFlow withTrafficClass(int other) {
        return new LinkFlow(entropy, other, hopLimit, serviceLevel, source);
    }

    public LinkFlow withHopLimit(int other) {
        return new LinkFlow(entropy, trafficClass, other, serviceLevel, source);
    }

    public LinkFlow withServiceLevel(int other) {
        return new LinkFlow(entropy, trafficClass, hopLimit, other, source);
    }

    public LinkFlow withSource(@Nullable Address other) {
        return new LinkFlow(entropy, trafficClass, hopLimit, serviceLevel, other);
    }
}
