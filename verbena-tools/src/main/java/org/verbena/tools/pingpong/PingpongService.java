package org.verbena.tools.pingpong;

import java.util.Locale;
import org.verbena.verbs.Service;

/** Services that have a ping-pong. */
enum PingpongService {
    RC(Service.RC, 4096),
    UC(Service.UC, 4096),
    UD(Service.UD, 2048);

    private final Service service;
    private final int size;

    PingpongService(Service service, int size) {
        this.service = service;
        this.size = size;
    }

    Service service() {
        return service;
    }

    /** Bytes of a message unless told otherwise, as rdma-core has it. */
    int size() {
        return size;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
