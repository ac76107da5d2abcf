package org.verbena.connect.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.link.Endpoint;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** Which queue pair takes the datagrams of a service: the services of this adapter, and its open questions to peers. */
final class Resolutions {
    private final Surroundings world;
    private final Map<Long, DatagramService> services = new HashMap<>();
    private final Map<Integer, Resolution> open = new HashMap<>();

    Resolutions(Surroundings world) {
        this.world = world;
    }

    /** Number of services. */
    int services() {
        return services.size();
    }

    /** Number of open questions. */
    int open() {
        return open.size();
    }

    boolean hasId(int requestId) {
        return open.containsKey(requestId);
    }

    /** Answers questions for a service from now on; false if the service has an answer already. */
    boolean serve(long serviceId, DatagramService service) {
        return services.putIfAbsent(serviceId, service) == null;
    }

    void stopServing(long serviceId, DatagramService service) {
        services.remove(serviceId, service);
    }

    /** Sends a question. */
    void ask(Resolution resolution) {
        open.put(resolution.requestId(), resolution);
        resolution.ask();
    }

    void forget(Resolution resolution) {
        open.remove(resolution.requestId());
    }

    /** Answers a question of a peer. */
    void onRequest(Endpoint source, SidrReq req, long transaction) {
        world.send(source, answer(req, services.get(req.serviceId())), transaction);
    }

    private static SidrRep answer(SidrReq req, @Nullable DatagramService service) {
        return service == null
                ? new SidrRep(
                        req.requestId(),
                        SidrRep.UNSUPPORTED,
                        0,
                        0,
                        req.serviceId(),
                        0,
                        PrivateData.NONE,
                        PrivateData.NONE)
                : new SidrRep(
                        req.requestId(),
                        SidrRep.VALID,
                        0,
                        service.queuePair(),
                        req.serviceId(),
                        service.qkey(),
                        PrivateData.NONE,
                        service.privateData());
    }

    /** Takes the answer of a peer. */
    void onAnswer(Endpoint source, SidrRep rep) {
        Resolution asked = open.get(rep.requestId());
        if (asked != null && asked.peer().address().equals(source.address())) {
            asked.onAnswer(rep);
        } else {
            world.count(Counter.CM_UNMATCHED);
        }
    }

    /** Tells every asker that the adapter closes, and forgets everything. */
    void close() {
        new ArrayList<>(open.values()).forEach(Resolution::close);
        services.clear();
        open.clear();
    }
}
