package org.verbena.manage.manager;

import java.util.HashMap;
import java.util.Map;

/** What the manager has written to one switch: forwarding tables as the switch confirmed them. */
final class WrittenTables {
    /** The highest local identifier that is forwarded; 0 of a switch without routes. */
    int top;
    /** The linear table; entries behind its end are not written. */
    byte[] linear = {};
    /** Which blocks of the linear table are confirmed. */
    boolean[] linearBlocks = {};
    /** Blocks of the multicast table by modifier. */
    final Map<Integer, byte[]> multicast = new HashMap<>();

    /** The switch does not have what was written. */
    void forget() {
        linear = new byte[0];
        linearBlocks = new boolean[0];
        multicast.clear();
    }
}
