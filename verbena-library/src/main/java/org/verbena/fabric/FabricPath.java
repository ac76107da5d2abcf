package org.verbena.fabric;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.SubnetRoute;

/** A destination of a {@link FabricLink}: its GID, and the way there once it is known. */
final class FabricPath implements LinkPath {
    final FabricLink owner;
    final long targetHigh;
    final long targetLow;
    final boolean group;
    /** Null while it is not known. */
    @Nullable
    FabricWay way;

    private final Endpoint remote;
    private final Endpoint source;
    private final LinkFlow flow;

    FabricPath(FabricLink owner, Endpoint remote, Endpoint source, LinkFlow flow) {
        this.owner = owner;
        this.remote = remote;
        this.source = source;
        this.flow = flow;
        this.targetHigh = remote.high();
        this.targetLow = remote.low();
        this.group = remote.address().isMulticastAddress();
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint source() {
        return source;
    }

    @Override
    public LinkFlow flow() {
        return flow;
    }

    @Override
    public @Nullable SubnetRoute subnetRoute() {
        return owner.subnetRoute(this);
    }

    /** The service level of its packets. */
    int levelOn(FabricWay found) {
        return flow.serviceLevel() == LinkFlow.MANAGED ? found.serviceLevel() : flow.serviceLevel();
    }
}
