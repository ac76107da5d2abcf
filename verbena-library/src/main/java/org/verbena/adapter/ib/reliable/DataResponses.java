package org.verbena.adapter.ib.reliable;

import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.RefusedAccess;
import org.verbena.link.Packet;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;

/**
 * Sends the answers to reads and atomics, packet by packet, in the order of the requests. If a page of the data is missing, it
 * sends nothing until the page is present: the peer is not told.
 */
final class DataResponses {
    /** Takes the refusal of a read whose memory is no longer accessible. */
    @FunctionalInterface
    interface Refusal {
        void refuse(NakCode code, int psn);
    }

    private final ReliableConnection connection;
    private final AnswerWriter writer;
    private final ProtectionTable memory;
    private final Counters counters;
    private final RefusedAccess refused;
    private final Refusal refusal;
    private final PageWait pages;
    private ResponseQueue queue;
    /** Number of the answer that waits for pages. */
    private int awaitedPsn;
    /** Number of the answer whose pages cannot be brought in; -1 if there is none. */
    private int lostPsn = -1;

    private Verdict lostVerdict = Verdict.GRANTED;

    DataResponses(
            ReliableConnection connection,
            EngineParts parts,
            AnswerWriter writer,
            RefusedAccess refused,
            Refusal refusal) {
        this.refused = refused;
        this.connection = connection;
        this.writer = writer;
        this.memory = parts.memory();
        this.counters = parts.counters();
        this.refusal = refusal;
        this.queue = new ResponseQueue(1, memory);
        this.pages = new PageWait(parts, this::onPages);
    }

    void begin(int inboundReads) {
        release();
        queue = new ResponseQueue(Math.max(1, inboundReads), memory);
    }

    /** Releases all pages, and waits for none. No read is under way any more. */
    void release() {
        queue.release();
        pages.release();
        lostPsn = -1;
    }

    ResponseQueue queue() {
        return queue;
    }

    /** Whether an answer waits for pages. */
    boolean isWaiting() {
        return pages.isWaiting();
    }

    /** Sends the next packet, or has the answer wait or refused; false when the link has no room. */
    boolean sendNext() {
        int lost = lostPsn;
        lostPsn = -1; // the loss concerns this answer only
        if (queue.psn() == lost) {
            refuse(lostVerdict);
            return true;
        }
        return queue.isAtomic() ? sendAtomicResponse() : sendReadResponse();
    }

    private boolean sendAtomicResponse() {
        Opcode opcode = Opcode.RC_ATOMIC_ACKNOWLEDGE;
        Packet packet = writer.begin(opcode, 0, queue.psn());
        if (packet == null) {
            return false;
        }
        writer.writeAck(packet, opcode, queue.msn());
        AtomicAckEth.write(
                packet.segment(), packet.offset() + opcode.offsetOf(Extension.ATOMIC_ACK_ETH), queue.original());
        writer.end(packet);
        queue.advance();
        return true;
    }

    private boolean sendReadResponse() {
        long offset = (long) queue.cursor() * connection.mtuBytes();
        int payload = (int) Math.min(connection.mtuBytes(), queue.length() - offset);
        Opcode opcode = opcodeOf(queue.atStreamStart(), queue.atLast());
        Packet packet = writer.begin(opcode, payload, queue.psn());
        if (packet == null) {
            return false;
        }
        if (opcode.carriesAeth()) {
            writer.writeAck(packet, opcode, queue.msn());
        }
        Verdict verdict = memory.gather(
                connection.rights().remoteRead(),
                queue.key(),
                queue.address() + offset,
                packet.segment(),
                packet.offset() + opcode.headerLength(),
                payload);
        if (!verdict.granted()) {
            writer.abandon(packet);
            onRefused(verdict, offset, payload);
            return true;
        }
        writer.end(packet);
        queue.advance();
        if (pages.isOpen()) {
            pages.release();
        }
        return true;
    }

    private static Opcode opcodeOf(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }

    private void onRefused(Verdict verdict, long offset, int payload) {
        if (verdict == Verdict.NOT_RESIDENT) {
            awaitPages(offset, payload);
        } else {
            refuse(verdict);
        }
    }

    private void awaitPages(long offset, int payload) {
        counters.add(Counter.RESPONSE_PAGE_FAULTS);
        Verdict verdict = pages.prepare()
                .add(
                        connection.rights().remoteRead(),
                        queue.key(),
                        queue.address() + offset,
                        payload,
                        queue.length() - offset,
                        Fault.Intent.READ);
        if (!verdict.granted()) {
            pages.release();
            refuse(verdict);
            return;
        }
        awaitedPsn = queue.psn();
        if (!pages.start()) {
            connection.peerPatience().onWait();
        }
    }

    private void onPages(Verdict outcome) {
        // Meanwhile the peer may have asked for other answers, and this one may have been dropped.
        if (!outcome.granted() && queue.hasPending() && queue.psn() == awaitedPsn) {
            lostPsn = awaitedPsn;
            lostVerdict = outcome;
        }
        connection.scheduleResumed();
    }

    /**
     * The memory became inaccessible after the request had been granted. An answer that is given for the first time is refused. An
     * answer that is given again is left out: the peer may have had all of it, and have taken the key back for that reason,
     * while its earlier request was on the way.
     */
    private void refuse(Verdict verdict) {
        if (queue.isRepeating()) {
            queue.skip();
            return;
        }
        int psn = queue.psn();
        refused.note(queue.key(), queue.address(), queue.length(), verdict);
        queue.dropPending();
        if (isPageLoss(verdict)) {
            refusal.refuse(NakCode.REMOTE_OPERATIONAL_ERROR, psn);
        } else {
            counters.add(Counter.REMOTE_ACCESS_ERRORS);
            refusal.refuse(NakCode.REMOTE_ACCESS_ERROR, psn);
        }
    }

    /** Whether the access is allowed, and its pages cannot be brought in. */
    static boolean isPageLoss(Verdict verdict) {
        return verdict == Verdict.PAGE_LOST || verdict == Verdict.TOO_MANY_PAGES || verdict == Verdict.NOT_RESIDENT;
    }
}
