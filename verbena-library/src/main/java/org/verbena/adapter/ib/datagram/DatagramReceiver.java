package org.verbena.adapter.ib.datagram;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.link.Packet;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionEntry;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.ImmDt;
import org.verbena.wire.ib.Opcode;

/**
 * Takes datagrams: each fills one receive, 40 bytes of network header first. One that finds no receive, or one too small,
 * is lost; the receive stays for the next (9.8.2.2, class D).
 */
final class DatagramReceiver {
    private final DatagramTransport transport;
    private final Pair pair;
    private final ProtectionTable memory;
    private final Counters counters;
    private final ReceiveQueue receives;
    private final MemorySegment header = Arena.ofAuto().allocate(Grh.LENGTH, 8);

    DatagramReceiver(DatagramTransport transport, EngineParts parts) {
        this.transport = transport;
        this.pair = transport.pair();
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.receives = pair.receives();
    }

    void receive(Packet packet, Opcode opcode) {
        int payload = opcode.payloadLength(packet.length(), Bth.padCount(packet.segment(), packet.offset()));
        if (!receives.take()) {
            counters.add(Counter.DROPPED_NO_RECEIVE);
        } else if (Grh.LENGTH + payload > receives.hand().segments().total()) {
            counters.add(Counter.DROPPED_TOO_LONG);
        } else {
            Verdict verdict = place(packet, opcode, payload);
            if (verdict.granted()) {
                transport.onPlaced();
                deliver(packet, opcode, payload);
            } else if (verdict == Verdict.NOT_RESIDENT) {
                long length = (long) Grh.LENGTH + payload;
                transport.onDroppedForPages(
                        fault -> receives.demand(fault, pair.rights().localWrite(), 0, length, length));
            } else {
                receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
                pair.fail(EventKind.QUEUE_PAIR_FATAL);
            }
        }
    }

    private Verdict place(Packet packet, Opcode opcode, int payload) {
        NetworkHeader.write(packet, header);
        Accessor who = pair.rights().localWrite();
        SegmentList into = receives.hand().segments();
        Verdict verdict = into.place(memory, who, 0, header, 0, Grh.LENGTH);
        return verdict.granted()
                ? into.place(
                        memory, who, Grh.LENGTH, packet.segment(), packet.offset() + opcode.headerLength(), payload)
                : verdict;
    }

    private void deliver(Packet packet, Opcode opcode, int payload) {
        long deth = (long) packet.offset() + opcode.offsetOf(Extension.DETH);
        CompletionEntry entry = receives.begin(Operation.RECEIVE, Status.SUCCESS)
                .byteLength(Grh.LENGTH + payload)
                .solicited(Bth.solicited(packet.segment(), packet.offset()))
                .from(Deth.sourceQueuePair(packet.segment(), deth));
        if (opcode.carriesImmediate()) {
            entry.immediate(ImmDt.value(packet.segment(), packet.offset() + opcode.offsetOf(Extension.IMMDT)));
        }
        receives.finish();
    }
}
