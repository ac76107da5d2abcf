/** RDMA in software: verbs, adapter, memory, wire and links, without a dependency at run time. */
module org.verbena {
    requires static transitive org.jspecify;
    requires jdk.net;

    exports org.verbena.link;
    exports org.verbena.time;
    exports org.verbena.wire.ib;
    exports org.verbena.wire.ip;
    exports org.verbena.wire.pcap;
}
