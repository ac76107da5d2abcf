/** RDMA in software: verbs, adapter, memory, wire and links, without a dependency at run time. */
module org.verbena {
    requires static transitive org.jspecify;
    requires jdk.net;

    exports org.verbena.memory;
    exports org.verbena.time;
}
