package org.verbena.fabric;

import org.verbena.fabric.flow.HostPort;
import org.verbena.manage.agent.ManagedPort;

/** Finds ways in the registers of the fabric itself, without a question to the subnet administration. Every way has service level 0. */
final class DirectoryResolver implements PathResolver {
    private final HostPort host;
    private final GroupDirectory groups;

    DirectoryResolver(HostPort host, GroupDirectory groups) {
        this.host = host;
        this.groups = groups;
    }

    @Override
    public FabricWay resolve(long gidHigh, long gidLow) {
        if (gidHigh >>> 56 == 0xff) {
            int lid = groups.lidOf(gidHigh, gidLow);
            return lid == 0 ? FabricWay.NONE : new FabricWay(lid, 0, 0, true, null, 0);
        }
        ManagedPort peer = host.portOf(gidHigh, gidLow);
        if (peer == null) {
            return FabricWay.NONE;
        }
        boolean local = host.isLocal(peer);
        ManagedPort next = local ? peer : host.routerToward(peer);
        return next == null || next.lid() == 0
                ? FabricWay.NONE
                : new FabricWay(next.lid(), next.lmc(), 0, !local, next, 0);
    }

    @Override
    public boolean isCurrent(FabricWay way) {
        ManagedPort peer = way.peer();
        return peer == null || (peer.lid() == way.lid() && peer.lmc() == way.lmc());
    }

    @Override
    public void join(long gidHigh, long gidLow) {
        groups.join(gidHigh, gidLow);
    }

    @Override
    public void leave(long gidHigh, long gidLow) {
        groups.leave(gidHigh, gidLow);
    }

    @Override
    public void close() {}
}
