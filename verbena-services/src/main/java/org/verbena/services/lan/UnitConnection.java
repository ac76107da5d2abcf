package org.verbena.services.lan;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.services.lan.wire.ConfigFields;
import org.verbena.services.lan.wire.LanOperation;
import org.verbena.services.push.ServiceConnection;
import org.verbena.services.push.ServiceHandler;
import org.verbena.services.push.ServiceReply;
import org.verbena.trace.MetricScope;

/** A connection of a host, at the unit. */
final class UnitConnection implements ServiceHandler, FrameOutlet {
    private final UnitDriver unit;
    private final ServiceConnection connection;
    private final UnitConfiguration configuration;
    private final long openedNs;
    private MetricScope.@Nullable Registration metrics;
    private boolean lanUpTold;

    UnitConnection(UnitDriver unit, ServiceConnection connection, long nowNs) {
        this.unit = unit;
        this.connection = connection;
        this.openedNs = nowNs;
        this.configuration = new UnitConfiguration(unit.owner(this));
    }

    /** The host; null before it is attached. */
    @Nullable
    UnitHost host() {
        return configuration.host();
    }

    /** The host has just been attached. */
    void onAttached(MetricScope.Registration registered, boolean lanUp) {
        metrics = registered;
        lanUpTold = lanUp;
    }

    /** Tells the host that the LAN is up or down, unless it knows. Ends the connection of a host that does not attach. */
    void watch(boolean lanUp, MemorySegment message, long nowNs) {
        UnitHost host = host();
        if (host == null) {
            if (nowNs - openedNs > UnitDriver.ATTACH_LIMIT_NS) {
                connection.close("the host did not attach");
            }
        } else if (lanUp != lanUpTold && connection.isOpen()) {
            int length = ConfigFields.writeNumber(message, 0, lanUp ? 1 : 0);
            if (connection.request(LanOperation.LINK_STATE, message, 0, length) != 0) {
                lanUpTold = lanUp;
                host.counters.add(LanCounter.CARRIER_CHANGES);
            }
        }
    }

    void abort(String reason) {
        connection.abort(reason);
    }

    // --- frames for the host

    @Override
    public int bytesMax() {
        return connection.dataBytesMax();
    }

    @Override
    public int underWay() {
        return connection.underWay();
    }

    @Override
    public boolean push(int slot, int length) {
        return connection.push(slot, length);
    }

    // --- events of the connection

    @Override
    public void onOpen() {
        // The host attaches now.
    }

    @Override
    public void onData(MemorySegment memory, long offset, int length) {
        UnitHost host = host();
        if (host != null) {
            unit.fromHost(host, memory, offset, length);
        }
    }

    @Override
    public int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
        return configuration.onRequest(operation, request, offset, length, reply);
    }

    @Override
    public void onReply(long context, int status, MemorySegment reply, long offset, int length) {
        // LINK_STATE has no data in its reply.
    }

    @Override
    public void onClosed(String reason) {
        UnitHost host = host();
        if (host != null) {
            unit.forget(host);
        }
        configuration.detach();
        if (metrics != null) {
            metrics.close();
        }
        unit.forget(this);
    }
}
