package org.verbena.tools.pingpong;

import java.util.Locale;

/** Services that have a ping-pong. */
enum PingpongService {
    RC(4096),
    UC(4096),
    UD(2048);

    private final int size;

    PingpongService(int size) {
        this.size = size;
    }

    /** Bytes of a message unless told otherwise, as rdma-core has it. */
    int size() {
        return size;
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
