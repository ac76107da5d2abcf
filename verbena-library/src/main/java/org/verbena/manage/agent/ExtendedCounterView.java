package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.subnet.ExtendedCounterBlock;
import org.verbena.wire.subnet.LongField;

/** The counters of a port as PortCountersExtended shows them: since their last reset. */
final class ExtendedCounterView {
    /** In the order of their bits in CounterSelect. */
    private static final LongField[] FIELDS = {
        ExtendedCounterBlock.TRANSMITTED_WORDS,
        ExtendedCounterBlock.RECEIVED_WORDS,
        ExtendedCounterBlock.TRANSMITTED_PACKETS,
        ExtendedCounterBlock.RECEIVED_PACKETS,
        ExtendedCounterBlock.TRANSMITTED_UNICASTS,
        ExtendedCounterBlock.RECEIVED_UNICASTS,
        ExtendedCounterBlock.TRANSMITTED_MULTICASTS,
        ExtendedCounterBlock.RECEIVED_MULTICASTS,
    };

    private ExtendedCounterView() {}

    /** Adds the counters of a port to those in the attribute; each stays at its highest value. */
    static void add(PortCounters counters, MemorySegment to, long at) {
        long[] base = counters.extendedBase;
        for (int index = 0; index < FIELDS.length; index++) {
            long since = value(counters, index) - (base == null ? 0 : base[index]);
            long sum = FIELDS[index].read(to, at) + since;
            FIELDS[index].write(to, at, Long.compareUnsigned(sum, since) < 0 ? -1 : sum);
        }
    }

    /** Sets the chosen counters to 0, as this attribute shows them. */
    static void reset(PortCounters counters, int chosen) {
        long[] base = counters.extendedBase == null ? new long[FIELDS.length] : counters.extendedBase;
        for (int index = 0; index < FIELDS.length; index++) {
            if ((chosen >>> index & 1) != 0) {
                base[index] = value(counters, index);
            }
        }
        counters.extendedBase = base;
    }

    private static long value(PortCounters counters, int index) {
        return switch (index) {
            case 0 -> counters.transmittedWords;
            case 1 -> counters.receivedWords;
            case 2 -> counters.transmittedPackets;
            case 3 -> counters.receivedPackets;
            case 4 -> counters.transmittedPackets - counters.transmittedMulticasts;
            case 5 -> counters.receivedPackets - counters.receivedMulticasts;
            case 6 -> counters.transmittedMulticasts;
            default -> counters.receivedMulticasts;
        };
    }
}
