package org.verbena.fabric;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.flow.Flow;
import org.verbena.fabric.flow.Parcel;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.wire.ib.Vcrc;
import org.verbena.wire.pcap.Erf;
import org.verbena.wire.pcap.PcapngWriter;

/**
 * A capture of the packets at a port, from the local route header to the variant CRC, at the times of the fabric. Flow control packets are not in
 * it. The first failure to write ends the capture; the traffic is not disturbed by it. The thread that drives the fabric calls
 * everything.
 */
public final class FabricCapture implements AutoCloseable {
    private static final long PS_PER_NS = 1000;

    private final Flow flow;
    private final ManagedPort port;
    private final PcapngWriter writer;
    private @Nullable IOException failure;
    private boolean closed;

    private FabricCapture(Flow flow, ManagedPort port, PcapngWriter writer) {
        this.flow = flow;
        this.port = port;
        this.writer = writer;
    }

    static FabricCapture open(Flow flow, ManagedPort port, WritableByteChannel channel) {
        PcapngWriter writer = new PcapngWriter(channel, PcapngWriter.LinkType.INFINIBAND, "Verbena", port.toString());
        FabricCapture capture = new FabricCapture(flow, port, writer);
        if (!flow.tap(port, capture::onParcel)) {
            throw new FabricException("second capture of port " + port + " found, one expected");
        }
        return capture;
    }

    private void onParcel(Parcel parcel, boolean leaves, long nowPs) {
        if (failure != null) {
            return;
        }
        try {
            int length = parcel.length() + Vcrc.LENGTH;
            long nowNs = nowPs / PS_PER_NS;
            long at = writer.begin(Erf.LENGTH + length);
            Erf.write(writer.segment(), at, nowNs, Erf.TYPE_INFINIBAND, length);
            MemorySegment.copy(parcel.segment(), parcel.start(), writer.segment(), at + Erf.LENGTH, length);
            writer.end(nowNs, leaves ? PcapngWriter.Direction.OUTBOUND : PcapngWriter.Direction.INBOUND);
        } catch (IOException e) {
            failure = e;
        }
    }

    /**
     * Ends the capture.
     *
     * @throws FabricException if it is not complete
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        flow.tap(port, null);
        try {
            writer.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        IOException first = failure;
        if (first != null) {
            throw new FabricException("the capture of port " + port + " is not complete: " + first.getMessage());
        }
    }
}
