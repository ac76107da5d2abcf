package org.verbena.fabric;

import org.jspecify.annotations.Nullable;
import org.verbena.manage.agent.ManagedPort;

/**
 * How packets of a port reach another port or a group of a fabric.
 *
 * @param lid first local identifier of the destination, or of the router on the way; the identifier of a group
 * @param lmc the destination has 2^lmc identifiers, each with a way of its own
 * @param serviceLevel that management gives for this way
 * @param global whether packets need a global route header
 * @param peer registers of the destination, if the resolver looks at them
 * @param generation of the resolver when it found the way
 */
record FabricWay(
        int lid,
        int lmc,
        int serviceLevel,
        boolean global,
        @Nullable ManagedPort peer,
        int generation) {
    /** No way. */
    static final FabricWay NONE = new FabricWay(0, 0, 0, false, null, 0);

    /** One of the destination's identifiers; flows of the same entropy have the same. */
    int lidFor(int entropy) {
        return spread(lid, lmc, entropy);
    }

    /** One of the 2^lmc identifiers of a port, chosen by entropy. Small numbers are spread over all. */
    static int spread(int lid, int lmc, int entropy) {
        return lmc == 0 ? lid : lid + ((entropy * 0x61c8_8647) >>> (Integer.SIZE - lmc));
    }
}
