package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;

/**
 * How packets travel to a destination. Immutable; the {@code with} methods give changed copies.
 *
 * @param serviceLevel 0 … 15; on Ethernet it becomes a DSCP unless a traffic class is given, see {@link #trafficClass()}
 * @param explicitTrafficClass IP type of service or traffic class, 0 … 255; 0 leaves it to the service level
 * @param flowLabel 20 bits that spread flows over UDP source ports; 0: chosen by the number of a connection's queue pair,
 *     or by the address of a destination of datagrams
 * @param hopLimit routers a packet may pass, 1 … 255
 * @param ecn whether packets say that the network may mark them instead of dropping them (ECT(0))
 * @param source the port's address that packets leave from; null: the first of the destination's family
 */
public record Route(
        int serviceLevel,
        int explicitTrafficClass,
        int flowLabel,
        int hopLimit,
        boolean ecn,
        @Nullable Endpoint source) {
    /** Service level 0, 64 hops, no marks. */
    public static final Route DEFAULT = new Route(0, 0, 0, Flow.HOP_LIMIT, false, null);

    private static final int LEVELS_OF_DSCP = 7;
    private static final int LEVEL_SHIFT = 5;
    private static final int ECN = 3;
    private static final int ECT_0 = 2;

    public Route {
        QueuePairOptions.require("serviceLevel", serviceLevel, 0, 15);
        QueuePairOptions.require("trafficClass", explicitTrafficClass, 0, 0xff);
        QueuePairOptions.require("flowLabel", flowLabel, 0, 0xf_ffff);
        QueuePairOptions.require("hopLimit", hopLimit, 1, 0xff);
    }

    public Route withServiceLevel(int level) {
        return new Route(level, explicitTrafficClass, flowLabel, hopLimit, ecn, source);
    }

    /** A traffic class that is not derived from the service level; 0 derives it again. */
    public Route withTrafficClass(int trafficClass) {
        return new Route(serviceLevel, trafficClass, flowLabel, hopLimit, ecn, source);
    }

    public Route withFlowLabel(int label) {
        return new Route(serviceLevel, explicitTrafficClass, label, hopLimit, ecn, source);
    }

    public Route withHopLimit(int hops) {
        return new Route(serviceLevel, explicitTrafficClass, flowLabel, hops, ecn, source);
    }

    public Route withEcn(boolean capable) {
        return new Route(serviceLevel, explicitTrafficClass, flowLabel, hopLimit, capable, source);
    }

    /** From one of the port's addresses that is not the first; its port does not count. Null: from the first again. */
    public Route withSource(@Nullable Endpoint local) {
        return new Route(serviceLevel, explicitTrafficClass, flowLabel, hopLimit, ecn, local);
    }

    /**
     * What stands in the IP header. Service level n without a traffic class has the DSCP of class selector n mod 8, which
     * is n · 8: switches and cards that trust the DSCP give it priority n from the start.
     */
    public int trafficClass() {
        int unmarked =
                explicitTrafficClass != 0 ? explicitTrafficClass : (serviceLevel & LEVELS_OF_DSCP) << LEVEL_SHIFT;
        // A mark, both bits, is for the network to set.
        int clean = (unmarked & ECN) == ECN ? unmarked & ~ECN : unmarked;
        return ecn ? (clean & ~ECN) | ECT_0 : clean;
    }

    /** The link's word for it, for a flow that is told from others by this number unless it has a label. */
    Flow flow(int entropy) {
        return new Flow(flowLabel != 0 ? flowLabel : entropy, trafficClass(), hopLimit, source);
    }
}
