package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.subnet.CounterBlock;
import org.verbena.wire.subnet.Field;

/** The counters of a port as PortCounters shows them: since their last reset, and as wide as the attribute has them. */
final class CounterView {
    /** In the order of their bits in CounterSelect; the last one has a select of its own. */
    private static final Field[] FIELDS = {
        CounterBlock.SYMBOL_ERRORS,
        CounterBlock.LINK_ERROR_RECOVERIES,
        CounterBlock.LINK_DOWNED,
        CounterBlock.RECEIVE_ERRORS,
        CounterBlock.RECEIVE_REMOTE_PHYSICAL_ERRORS,
        CounterBlock.RECEIVE_SWITCH_RELAY_ERRORS,
        CounterBlock.TRANSMIT_DISCARDS,
        CounterBlock.TRANSMIT_CONSTRAINT_ERRORS,
        CounterBlock.RECEIVE_CONSTRAINT_ERRORS,
        CounterBlock.LOCAL_LINK_INTEGRITY_ERRORS,
        CounterBlock.EXCESSIVE_BUFFER_OVERRUNS,
        CounterBlock.LANE_15_DROPPED,
        CounterBlock.TRANSMITTED_WORDS,
        CounterBlock.RECEIVED_WORDS,
        CounterBlock.TRANSMITTED_PACKETS,
        CounterBlock.RECEIVED_PACKETS,
        CounterBlock.TRANSMIT_WAIT,
    };

    private static final int WAIT = FIELDS.length - 1;

    private CounterView() {}

    /** Adds the counters of a port to those in the attribute; each stays at its highest value. */
    static void add(PortCounters counters, MemorySegment to, long at) {
        long[] base = counters.base;
        for (int index = 0; index < FIELDS.length; index++) {
            long since = value(counters, index) - (base == null ? 0 : base[index]);
            long most = FIELDS[index].mask() & 0xffff_ffffL;
            long sum = (FIELDS[index].read(to, at) & 0xffff_ffffL) + Math.min(Math.max(since, 0), most);
            FIELDS[index].write(to, at, (int) Math.min(sum, most));
        }
    }

    /** Sets the chosen counters to 0, as this attribute shows them. */
    static void reset(PortCounters counters, int chosen, int chosen2) {
        long[] base = counters.base == null ? new long[FIELDS.length] : counters.base;
        for (int index = 0; index < FIELDS.length; index++) {
            if ((index == WAIT ? chosen2 & 1 : chosen >>> index & 1) != 0) {
                base[index] = value(counters, index);
            }
        }
        counters.base = base;
    }

    private static long value(PortCounters counters, int index) {
        return switch (index) {
            case 0 -> counters.symbolErrors;
            case 1 -> counters.linkErrorRecoveries;
            case 2 -> counters.linkDowned;
            case 3 -> counters.receiveErrors;
            case 4 -> counters.receiveRemotePhysicalErrors;
            case 5 -> counters.receiveSwitchRelayErrors;
            case 6 -> counters.transmitDiscards;
            case 7 -> counters.transmitConstraintErrors;
            case 8 -> counters.receiveConstraintErrors;
            case 9 -> counters.localLinkIntegrityErrors;
            case 10 -> counters.excessiveBufferOverruns;
            case 11 -> counters.lane15Dropped;
            case 12 -> counters.transmittedWords;
            case 13 -> counters.receivedWords;
            case 14 -> counters.transmittedPackets;
            case 15 -> counters.receivedPackets;
            default -> counters.transmitWait;
        };
    }
}
