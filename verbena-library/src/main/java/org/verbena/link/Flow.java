package org.verbena.link;

import org.jspecify.annotations.Nullable;

/**
 * How packets of a {@link Path} are to travel.
 *
 * @param entropy spreads flows over UDP source ports, and so over a network's parallel ways: flows of the same entropy share one
 * @param trafficClass IPv4's type of service or IPv6's traffic class, 0 … 255: DSCP in the upper six bits, ECN in the lower two
 * @param hopLimit IPv4's time to live or IPv6's hop limit, 1 … 255
 * @param source the local endpoint that packets leave from, its port aside; null: the first of the destination's family
 */
public record Flow(
        int entropy,
        int trafficClass,
        int hopLimit,
        @Nullable Endpoint source) {
    /** The hop limit of packets that nobody wants another one for. */
    public static final int HOP_LIMIT = 64;

    /** Source ports of RoCEv2 begin here and go to the last one: dynamic ports, which nobody is registered for. */
    public static final int FIRST_PORT = 0xc000;

    public static final int PORTS = 0x1_0000 - FIRST_PORT;

    public Flow {
        if (trafficClass < 0 || trafficClass > 0xff) {
            throw new LinkException("traffic class " + trafficClass + " found, 0 … 255 expected");
        }
        if (hopLimit < 1 || hopLimit > 0xff) {
            throw new LinkException("hop limit " + hopLimit + " found, 1 … 255 expected");
        }
    }

    /** A flow from whatever local endpoint. */
    public Flow(int entropy, int trafficClass, int hopLimit) {
        this(entropy, trafficClass, hopLimit, null);
    }

    /** A flow with nothing special about it. */
    public static Flow of(int entropy) {
        return new Flow(entropy, 0, HOP_LIMIT);
    }

    public Flow withTrafficClass(int other) {
        return new Flow(entropy, other, hopLimit, source);
    }

    public Flow withHopLimit(int other) {
        return new Flow(entropy, trafficClass, other, source);
    }

    public Flow withSource(@Nullable Endpoint other) {
        return new Flow(entropy, trafficClass, hopLimit, other);
    }

    /** Which of so many shares this flow belongs to: flows that like the same port belong to the same. */
    public int share(int shares) {
        return (port() - FIRST_PORT) * shares / PORTS;
    }

    /** The UDP source port this flow would like best. */
    public int port() {
        // Spreads small numbers over all ports; for a queue pair's number the port is the one Linux's rdma_rxe takes.
        return FIRST_PORT + ((entropy * 0x61c8_8647) >>> 18);
    }
}
