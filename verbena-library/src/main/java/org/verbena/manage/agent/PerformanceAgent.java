package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.ClassPortInfo;
import org.verbena.wire.subnet.CounterBlock;
import org.verbena.wire.subnet.ExtendedCounterBlock;
import org.verbena.wire.subnet.Smp;

/**
 * The performance management agent of every node: shows and resets the counters of ports. It has no state of its own. No content of a datagram
 * causes an exception. The two attributes with counters are reset apart, and the counters of the data path go on.
 */
public final class PerformanceAgent {
    private static final int DATA = CounterBlock.DATA;
    private static final int DATA_LENGTH = Mad.LENGTH - DATA;
    private static final int ADAPTER_CAPABILITIES = ClassPortInfo.EXTENDED_WIDTH | ClassPortInfo.TRANSMIT_WAIT;
    /** 4.096 µs × 2^18, about a second. */
    private static final int RESPONSE_TIME = 18;

    private PerformanceAgent() {}

    /**
     * Follows a datagram that has reached its node.
     *
     * @param arrivalPort the port that it came in by; 0 only at a switch, for a datagram from the switch itself
     * @param mad 256 bytes; becomes the answer if there is one
     */
    public static MadOutcome handle(ManagedNode node, int arrivalPort, MemorySegment mad) {
        int method = Smp.METHOD.read(mad, 0);
        if (Smp.BASE_VERSION.read(mad, 0) != Mad.BASE_VERSION
                || Smp.MANAGEMENT_CLASS.read(mad, 0) != CounterBlock.CLASS
                || (method & Smp.RESPONSE_BIT) != 0) {
            return MadOutcome.NOT_MINE;
        }
        int status = status(node, arrivalPort, method, mad);
        Smp.METHOD.write(mad, 0, method == Smp.METHOD_SET ? Smp.METHOD_RESPONSE : method | Smp.RESPONSE_BIT);
        Smp.DIRECTION.write(mad, 0, 0);
        Smp.STATUS.write(mad, 0, status);
        return MadOutcome.ANSWERED;
    }

    private static int status(ManagedNode node, int arrivalPort, int method, MemorySegment mad) {
        if (Smp.CLASS_VERSION.read(mad, 0) != CounterBlock.VERSION) {
            return Smp.STATUS_BAD_VERSION;
        }
        if (method != Smp.METHOD_GET && method != Smp.METHOD_SET) {
            return Smp.STATUS_BAD_METHOD;
        }
        boolean isSet = method == Smp.METHOD_SET;
        return switch (Smp.ATTRIBUTE.read(mad, 0)) {
            case ClassPortInfo.ATTRIBUTE -> isSet ? Smp.STATUS_BAD_ATTRIBUTE : classPortInfo(node, mad);
            case CounterBlock.ATTRIBUTE -> counters(node, arrivalPort, isSet, mad);
            case ExtendedCounterBlock.ATTRIBUTE -> extended(node, arrivalPort, isSet, mad);
            default -> Smp.STATUS_BAD_ATTRIBUTE;
        };
    }

    private static int classPortInfo(ManagedNode node, MemorySegment mad) {
        clear(mad);
        ClassPortInfo.BASE_VERSION.write(mad, DATA, Mad.BASE_VERSION);
        ClassPortInfo.CLASS_VERSION.write(mad, DATA, CounterBlock.VERSION);
        ClassPortInfo.CAPABILITY_MASK.write(
                mad, DATA, ADAPTER_CAPABILITIES | (node.isSwitch() ? ClassPortInfo.ALL_PORT_SELECT : 0));
        ClassPortInfo.RESPONSE_TIME.write(mad, DATA, RESPONSE_TIME);
        return Smp.STATUS_GOOD;
    }

    private static int counters(ManagedNode node, int arrivalPort, boolean isSet, MemorySegment mad) {
        int select = CounterBlock.PORT_SELECT.read(mad, DATA);
        int chosen = CounterBlock.COUNTER_SELECT.read(mad, DATA);
        int chosen2 = CounterBlock.COUNTER_SELECT_2.read(mad, DATA);
        if (!isValid(node, arrivalPort, select)) {
            return Smp.STATUS_BAD_VALUE;
        }
        clear(mad);
        CounterBlock.PORT_SELECT.write(mad, DATA, select);
        CounterBlock.COUNTER_SELECT.write(mad, DATA, chosen);
        CounterBlock.COUNTER_SELECT_2.write(mad, DATA, chosen2);
        for (int port = first(select); port <= last(node, select); port++) {
            PortCounters counters = node.port(port).counters();
            if (isSet) {
                CounterView.reset(counters, chosen, chosen2);
            }
            CounterView.add(counters, mad, DATA);
        }
        return Smp.STATUS_GOOD;
    }

    private static int extended(ManagedNode node, int arrivalPort, boolean isSet, MemorySegment mad) {
        int select = ExtendedCounterBlock.PORT_SELECT.read(mad, DATA);
        int chosen = ExtendedCounterBlock.COUNTER_SELECT.read(mad, DATA);
        if (!isValid(node, arrivalPort, select)) {
            return Smp.STATUS_BAD_VALUE;
        }
        clear(mad);
        ExtendedCounterBlock.PORT_SELECT.write(mad, DATA, select);
        ExtendedCounterBlock.COUNTER_SELECT.write(mad, DATA, chosen);
        for (int port = first(select); port <= last(node, select); port++) {
            PortCounters counters = node.port(port).counters();
            if (isSet) {
                ExtendedCounterView.reset(counters, chosen);
            }
            ExtendedCounterView.add(counters, mad, DATA);
        }
        return Smp.STATUS_GOOD;
    }

    /** An end node answers for the port that the datagram came to. */
    private static boolean isValid(ManagedNode node, int arrivalPort, int select) {
        return node.isSwitch() ? select <= node.portCount() || select == CounterBlock.ALL_PORTS : select == arrivalPort;
    }

    private static int first(int select) {
        return select == CounterBlock.ALL_PORTS ? 0 : select;
    }

    private static int last(ManagedNode node, int select) {
        return select == CounterBlock.ALL_PORTS ? node.portCount() : select;
    }

    private static void clear(MemorySegment mad) {
        mad.asSlice(DATA, DATA_LENGTH).fill((byte) 0);
    }
}
