package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.NodeKind;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.SwitchInfo;

/** A node as the manager knows it. */
final class KnownNode {
    private static final int SWITCH_BYTES = (SwitchInfo.LENGTH + 3) / 4 * 4;

    final long guid;
    final int kind;
    /** The outgoing ports of the directed route to the node. */
    final byte[] route;
    /** The node's NodeInfo. */
    final MemorySegment identity = MemorySegment.ofArray(new byte[NodeInfo.LENGTH]);
    /** The SwitchInfo of a switch as it was last read or written. */
    final MemorySegment registers = MemorySegment.ofArray(new byte[SWITCH_BYTES]);

    String description = "";
    /** Place among the switches of the graph; -1: none. */
    int index = -1;

    private final @Nullable KnownPort[] ports;

    KnownNode(MemorySegment nodeInfo, long at, byte[] route) {
        MemorySegment.copy(nodeInfo, at, identity, 0, NodeInfo.LENGTH);
        this.guid = NodeInfo.NODE_GUID.read(identity, 0);
        this.kind = NodeInfo.NODE_TYPE.read(identity, 0);
        this.route = route;
        this.ports = new KnownPort[NodeInfo.PORTS.read(identity, 0) + 1];
    }

    boolean isSwitch() {
        return kind == NodeKind.SWITCH.code();
    }

    boolean isRouter() {
        return kind == NodeKind.ROUTER.code();
    }

    int portCount() {
        return ports.length - 1;
    }

    @Nullable
    KnownPort port(int number) {
        return number < ports.length ? ports[number] : null;
    }

    /** The port with this number, made with this route if it is new. */
    KnownPort port(int number, long portGuid, byte[] portRoute) {
        KnownPort known = ports[number];
        if (known == null) {
            known = new KnownPort(this, number, portGuid, portRoute);
            ports[number] = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "%s (0x%016x)".formatted(description.isEmpty() ? "node" : description, guid);
    }
}
