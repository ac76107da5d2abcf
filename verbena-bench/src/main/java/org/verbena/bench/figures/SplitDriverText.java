package org.verbena.bench.figures;

import java.util.List;

/** What the page of the split driver says before its table. */
final class SplitDriverText {
    private SplitDriverText() {}

    static void introduce(List<String> lines) {
        lines.add("");
        lines.add("![Latency of the three transfer models](" + SplitDriverPlot.FILE + ")");
        lines.add("");
        lines.add(
                "*Latency* is half a round trip of a datum between two messaging layers over the same link, each with a thread that never waits. *push-push*: each end writes into buffers of the other end.");
        lines.add(
                "*push-pull*: the end that connected writes, the other end announces its data, and the connected end reads them. *pull-pull*: each end announces, and the other end reads.");
        lines.add(
                "*Frames host to unit*: both drivers with cables within the process as ports; a thread for each driver, which never waits. A frame counts when a station of the unit's LAN has taken it.");
        lines.add(
                "*Programs*: iperf3 and ping between two network namespaces, each with a TAP interface. Host and unit are in one process, a thread for each, default options, MTU 1,500, offloads on. The");
        lines.add(
                "peer is a veth pair between two namespaces, in turn with ours. Through the split driver, iperf3 runs for 5 s before it counts. ping: 1,000 packets, one every 2 ms.");
        lines.add(
                "*Memory*: 64 hosts with default options attach to a unit in a process of its own. What the live heap and the resident memory outside the heap grow by is counted from before the unit is opened");
        lines.add(
                "until all hosts are attached and idle. The pools of the hosts, 4.6 MiB each, and the unit's send buffers, which all hosts share, are not part of it; the tables and queues that the unit has for them are.");
    }
}
