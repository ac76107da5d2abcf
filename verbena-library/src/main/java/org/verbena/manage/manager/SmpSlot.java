package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.Smp;

/** One request of the manager to an agent: filled by a phase of a sweep, kept until the answer or the last timeout. */
final class SmpSlot {
    final int index;
    final MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
    /** The node asked; null only for the first question about an unknown node. */
    @Nullable
    KnownNode node;
    /** The port that the request is about, or through which an unknown node is asked. */
    @Nullable
    KnownPort port;

    /** A number of the phase. */
    int number;

    boolean busy;
    long transaction;
    int attempts;
    long deadlineNs;

    SmpSlot(int index) {
        this.index = index;
    }

    /** Begins a request by a directed route; the data are all 0. */
    void request(int method, byte[] route, int attribute, int modifier) {
        Smp.request(mad, 0, Smp.CLASS_DIRECTED, method, 0, attribute, modifier);
        Smp.HOP_COUNT.write(mad, 0, route.length);
        for (int hop = 0; hop < route.length; hop++) {
            Smp.initialPort(mad, 0, hop + 1, route[hop] & 0xff);
        }
        node = null;
        port = null;
        number = 0;
    }

    int attribute() {
        return Smp.ATTRIBUTE.read(mad, 0);
    }

    int modifier() {
        return Smp.MODIFIER.read(mad, 0);
    }

    @Override
    public String toString() {
        return "attribute 0x%04x modifier 0x%08x of %s".formatted(attribute(), modifier(), port != null ? port : node);
    }
}
