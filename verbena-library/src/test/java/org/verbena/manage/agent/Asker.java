package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.Field;
import org.verbena.wire.subnet.LongField;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** Sends packets to the agent of a node, and keeps the last one: the answer. */
final class Asker {
    /** There was no answer. */
    static final int SILENCE = -1;

    final MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
    final ManagedNode node;
    final int arrival;
    long key;
    long nowNs;
    MadOutcome outcome = MadOutcome.DONE;

    Asker(ManagedNode node, int arrival) {
        this.node = node;
        this.arrival = arrival;
    }

    /** Asks for an attribute; returns the status. */
    int get(int attribute, int modifier) {
        Smp.request(mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_GET, 7, attribute, modifier);
        return send();
    }

    /** Writes the attribute that the last answer has, as it was changed since; returns the status. */
    int set(int attribute, int modifier) {
        byte[] data = mad.asSlice(Smp.DATA, Smp.DATA_LENGTH).toArray(ValueLayout.JAVA_BYTE);
        Smp.request(mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_SET, 7, attribute, modifier);
        MemorySegment.copy(data, 0, mad, ValueLayout.JAVA_BYTE, Smp.DATA, data.length);
        return send();
    }

    /** Reads PortInfo with no change of states in it, to be changed and set. */
    Asker port(int number) {
        get(PortInfo.ATTRIBUTE, number);
        with(PortInfo.STATE, 0);
        with(PortInfo.PHYSICAL_STATE, 0);
        return this;
    }

    /** Changes a field of the attribute. */
    Asker with(Field field, int value) {
        field.write(mad, Smp.DATA, value);
        return this;
    }

    /** Changes a field of the attribute. */
    Asker with(LongField field, long value) {
        field.write(mad, Smp.DATA, value);
        return this;
    }

    int setPort(int number) {
        return set(PortInfo.ATTRIBUTE, number);
    }

    int read(Field field) {
        return field.read(mad, Smp.DATA);
    }

    long read(LongField field) {
        return field.read(mad, Smp.DATA);
    }

    String data() {
        return HexFormat.of().formatHex(mad.asSlice(Smp.DATA, Smp.DATA_LENGTH).toArray(ValueLayout.JAVA_BYTE));
    }

    int send() {
        Smp.MANAGEMENT_KEY.write(mad, 0, key);
        outcome = SubnetAgent.handle(node, arrival, mad, nowNs);
        return outcome == MadOutcome.ANSWERED ? Smp.STATUS.read(mad, 0) : SILENCE;
    }
}
