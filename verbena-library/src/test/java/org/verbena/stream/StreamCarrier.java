package org.verbena.stream;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Transport;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;

/** Carries reliable connections to the endpoints of one map, by a byte stream for each direction of each connection. */
final class StreamCarrier implements PairCarrier {
    private final Map<Endpoint, StreamCarrier> network;
    private final EngineParts parts;
    private final List<StreamTransport> transports = new ArrayList<>();

    StreamCarrier(Map<Endpoint, StreamCarrier> network, Endpoint local, EngineParts parts) {
        this.network = network;
        this.parts = parts;
        network.put(local, this);
    }

    @Override
    public boolean reaches(AttachParameters parameters) {
        return parameters.service() == PairService.RELIABLE_CONNECTION && network.containsKey(parameters.remote());
    }

    @Override
    public Transport attach(Pair pair, AttachParameters parameters) {
        StreamCarrier peer = requireNonNull(network.get(parameters.remote()));
        var made = new StreamTransport(pair, parts, this, peer, parameters.remoteQueuePair());
        transports.add(made);
        return made;
    }

    /** The transport of this queue pair, which must be attached. */
    StreamTransport find(int queuePair) {
        return transports.stream()
                .filter(transport -> transport.number() == queuePair)
                .findFirst()
                .orElseThrow();
    }

    void detach(StreamTransport transport) {
        transports.remove(transport);
    }

    @Override
    public int receive(long nowNs, int max) {
        return transports.stream().mapToInt(StreamTransport::receive).sum();
    }

    /** Has nothing to watch: the turns of the engines are given by hand. */
    @Override
    public WakeSource source() {
        return new WakeSource() {
            @Override
            public void attach(Sleeper sleeper) {}

            @Override
            public long sleepMaxNs() {
                return Long.MAX_VALUE;
            }
        };
    }

    @Override
    public void flush() {}

    @Override
    public void recover() {}

    @Override
    public void onRemoved(int queuePair) {}
}
