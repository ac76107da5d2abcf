package org.verbena.fabric.topology;

import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

/** What the lines of a net file so far say about the nodes that follow. */
final class NetDefaults {
    private static final int KINDS = NodeKind.values().length;

    String module = "";
    String place = "";
    int vendorId;
    int deviceId;
    long systemImageGuid;
    int widths = LinkWidth.X4.bit();
    int speeds = LinkSpeed.SDR.bit();
    int extended;

    /** By kind: the last number given, and the GUID of the next node. */
    private final long[] base = new long[KINDS];

    private final long[] next = new long[KINDS];

    NetDefaults() {
        // Those of ibsim. It starts routers at 0, which is no GUID.
        startGuids(NodeKind.ADAPTER, 0x10_0000);
        startGuids(NodeKind.SWITCH, 0x20_0000);
        startGuids(NodeKind.ROUTER, 0x30_0000);
    }

    void startGuids(NodeKind kind, long guid) {
        base[kind.ordinal()] = guid;
        next[kind.ordinal()] = guid;
    }

    /** The next GUID is this much above the last that was given. */
    void skipGuids(NodeKind kind, long offset) {
        next[kind.ordinal()] = base[kind.ordinal()] + offset;
    }

    /** The GUID of the next node; the ports of an end node have those behind it. */
    long takeGuid(NodeKind kind, int ports) {
        long guid = next[kind.ordinal()];
        next[kind.ordinal()] += kind == NodeKind.SWITCH ? 1 : ports + 1;
        return guid;
    }

    /** The device identifier, the rates and the module stay, the rest is that of one node. */
    void forgetNode() {
        vendorId = 0;
        systemImageGuid = 0;
        place = "";
    }

    PortRates rates() {
        return PortRates.enabled(widths, speeds, extended, false);
    }

    /** A name of the file with the module that it is in. */
    String inModule(String name) {
        return module.isEmpty() || name.indexOf('#') >= 0 || name.indexOf('@') >= 0 ? name : module + "#" + name;
    }
}
