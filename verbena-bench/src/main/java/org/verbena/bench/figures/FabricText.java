package org.verbena.bench.figures;

import java.util.List;

/** What the page of the fabric says before its table. */
final class FabricText {
    private FabricText() {}

    static void introduce(List<String> lines) {
        lines.add("");
        lines.add(
                "*Load*: a fat tree of 8 leaves, 8 spines and 64 hosts, links of 100 Gbit/s, one lane, swept by our own subnet manager. Each host sends to all others in turn and never pauses. One");
        lines.add(
                "thread, virtual time. A hop is a packet that a port has sent: four for a packet between two leaves, two within a leaf. Part of it are: claim, headers, variant CRC over the whole packet,");
        lines.add(
                "commit, all ports, credits, arbitration, counters, receipt by the link of the other host. The payload is not written, and the invariant CRC not computed: transports do that. Runs of 4 s are not counted until one allocates nothing.");
        lines.add(
                "*Build*: the topology is generated and the fabric made from it, in a process that has done nothing before, with a heap of at most 1 GiB. The heap is what is in use after collections.");
        lines.add(
                "*Full subnet*: 11,664 hosts with LMC 2 and 1,620 switches have 48,276 local identifiers of 49,151. Our own manager sweeps by directed routes from a host. Then packets go both ways");
        lines.add(
                "between sampled hosts, on each of the four identifiers. Of *two full subnets*, one host of each gives way to a port of the router; all pairs are in different subnets, and the subnets are swept one after the other.");
        lines.add(
                "*Sweep of OpenSM*: seconds from \"Entering DISCOVERING\" to \"SUBNET UP\" in its log; OpenSM is a new process for each sweep and finds a fabric that no manager has seen. The server is ours, in a");
        lines.add(
                "virtual machine that has just begun and has rehearsed as the command does, or has served two sweeps before, or ibsim, in turn with ours. The nets are fat trees of 6 leaves and 3 spines, and of four pods of 32-port switches.");
        lines.add(
                "Hops, build time and sweeps: medians of the better halves. The full subnets are measured once, the sweeps in 7 rounds.");
    }
}
