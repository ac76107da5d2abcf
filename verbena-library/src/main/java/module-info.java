/** RDMA in software: verbs, adapter, memory, wire and links, without a dependency at run time. */
module org.verbena {
    requires static transitive org.jspecify;
    requires transitive jdk.jfr;
    requires jdk.net;

    exports org.verbena;
    exports org.verbena.connect;
    exports org.verbena.link;
    exports org.verbena.link.process;
    exports org.verbena.link.simulated;
    exports org.verbena.link.udp;
    exports org.verbena.link.wrap;
    exports org.verbena.memory;
    exports org.verbena.memory.hypervisor;
    exports org.verbena.memory.store;
    exports org.verbena.queue;
    exports org.verbena.time;
    exports org.verbena.trace;
    exports org.verbena.verbs;
    exports org.verbena.wire.ib;
    exports org.verbena.wire.ip;
    exports org.verbena.wire.mad;
    exports org.verbena.wire.pcap;
}
