package org.verbena.verbs;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;

/**
 * How packets travel to a destination. Immutable; the {@code with} methods give changed copies.
 *
 * @param serviceLevel 0 … 15; on InfiniBand 0 takes the level that the subnet's management gives for the path; on Ethernet it becomes a
 *     DSCP unless a traffic class is given, see {@link #trafficClass()}
 * @param explicitTrafficClass IP type of service or traffic class, 0 … 255; 0 leaves it to the service level
 * @param flowLabel 20 bits that spread flows over UDP source ports; 0 takes the number of a connection's queue pair, or the
 *     address of a destination of datagrams
 * @param hopLimit routers that a packet passes at most, 1 … 255
 * @param ecn whether packets say that the network may mark them in place of dropping them (ECT(0))
 * @param source the port's address that packets leave from; null takes the first of the destination's family
 */
public record Route(
        int serviceLevel,
        int explicitTrafficClass,
        int flowLabel,
        int hopLimit,
        boolean ecn,
        @Nullable Endpoint source) {
    /** Service level 0, 64 hops, no marks. */
    public static final Route DEFAULT = new Route(0, 0, 0, LinkFlow.HOP_LIMIT, false, null);

    private static final int LEVELS_OF_DSCP = 7;
    private static final int LEVEL_SHIFT = 5;
    private static final int ECN = 3;
    private static final int ECT_0 = 2;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Route {
        QueuePairOptions.require("serviceLevel", serviceLevel, 0, 15);
        QueuePairOptions.require("trafficClass", explicitTrafficClass, 0, 0xff);
        QueuePairOptions.require("flowLabel", flowLabel, 0, 0xf_ffff);
        QueuePairOptions.require("hopLimit", hopLimit, 1, 0xff);
    }

    /**
     * A copy with this service level.
     *
     * @throws IllegalArgumentException if it is not 0 … 15
     */
    public Route withServiceLevel(int level) {
        return with(draft -> draft.serviceLevel = level);
    }

    /**
     * A copy with a traffic class that does not follow from the service level; 0 lets it follow again.
     *
     * @throws IllegalArgumentException if it is not 0 … 255
     */
    public Route withTrafficClass(int trafficClass) {
        return with(draft -> draft.trafficClass = trafficClass);
    }

    /**
     * A copy with this flow label.
     *
     * @throws IllegalArgumentException if it has more than 20 bits
     */
    public Route withFlowLabel(int label) {
        return with(draft -> draft.flowLabel = label);
    }

    /**
     * A copy whose packets pass this many routers at most.
     *
     * @throws IllegalArgumentException if it is not 1 … 255
     */
    public Route withHopLimit(int hops) {
        return with(draft -> draft.hopLimit = hops);
    }

    /** A copy whose packets say that the network may mark them, or do not. */
    public Route withEcn(boolean capable) {
        return with(draft -> draft.ecn = capable);
    }

    /** A copy whose packets leave from this address of the port; its UDP port has no effect. Null takes the first address. */
    public Route withSource(@Nullable Endpoint local) {
        return with(draft -> draft.source = local);
    }

    private Route with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /**
     * The traffic class or type of service that stands in the IP header, marks included. Service level n without a traffic class has the DSCP of class selector n mod 8, which
     * is n · 8: switches and cards that trust the DSCP give it priority n from the start.
     */
    public int trafficClass() {
        int unmarked =
                explicitTrafficClass != 0 ? explicitTrafficClass : (serviceLevel & LEVELS_OF_DSCP) << LEVEL_SHIFT;
        // Both bits together are the mark, which only the network sets.
        int clean = (unmarked & ECN) == ECN ? unmarked & ~ECN : unmarked;
        return ecn ? (clean & ~ECN) | ECT_0 : clean;
    }

    /** The flow of the link; {@code entropy} stands for a label that is not given. */
    LinkFlow flow(int entropy) {
        return new LinkFlow(
                flowLabel != 0 ? flowLabel : entropy,
                trafficClass(),
                hopLimit,
                serviceLevel == 0 ? LinkFlow.MANAGED : serviceLevel,
                source);
    }

    /** A copy being changed. */
    private static final class Draft {
        private int serviceLevel;
        private int trafficClass;
        private int flowLabel;
        private int hopLimit;
        private boolean ecn;
        private @Nullable Endpoint source;

        private Draft(Route from) {
            serviceLevel = from.serviceLevel;
            trafficClass = from.explicitTrafficClass;
            flowLabel = from.flowLabel;
            hopLimit = from.hopLimit;
            ecn = from.ecn;
            source = from.source;
        }

        private Route finish() {
            return new Route(serviceLevel, trafficClass, flowLabel, hopLimit, ecn, source);
        }
    }
}
