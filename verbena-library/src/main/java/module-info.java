/** RDMA in software: verbs, adapter, memory, wire and links, without a dependency at run time. */
@SuppressWarnings("module") // our tools are compiled after this module
module org.verbena {
    requires static org.jspecify;
    requires transitive jdk.jfr;
    requires jdk.net;

    exports org.verbena;
    exports org.verbena.connect;
    exports org.verbena.fabric;
    exports org.verbena.fabric.ibsim;
    exports org.verbena.fabric.topology;
    exports org.verbena.link;
    exports org.verbena.link.frame;
    exports org.verbena.link.process;
    exports org.verbena.link.simulated;
    exports org.verbena.link.stream;
    exports org.verbena.link.tcp;
    exports org.verbena.link.udp;
    exports org.verbena.link.wrap;
    exports org.verbena.manage;
    exports org.verbena.manage.agent;
    exports org.verbena.manage.manager;
    exports org.verbena.memory;
    exports org.verbena.memory.hypervisor;
    exports org.verbena.memory.store;
    exports org.verbena.message;
    exports org.verbena.time;
    exports org.verbena.trace;
    exports org.verbena.verbs;

    // Not for consumers: the command takes packets and captures apart.
    exports org.verbena.wire.ib to
            org.verbena.tools;
    exports org.verbena.wire.ip to
            org.verbena.tools;
    exports org.verbena.wire.pcap to
            org.verbena.tools;
}
