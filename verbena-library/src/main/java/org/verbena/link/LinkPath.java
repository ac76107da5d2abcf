package org.verbena.link;

import org.jspecify.annotations.Nullable;

/** A destination prepared by {@link Link#path}, for that link only. Lives as long as its link. */
public interface LinkPath {
    /** The target of packets claimed for this path. */
    Address remote();

    /** The source of packets claimed for this path: a local address, for UDP with the source port of the flow. */
    Address source();

    /** The way that packets of this path travel. */
    LinkFlow flow();

    /** How packets of this path travel through their subnet, as it is now; null if the link has no subnets, or the way is not known yet. */
    default @Nullable SubnetRoute subnetRoute() {
        return null;
    }
}
