package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import org.verbena.Operation;
import org.verbena.memory.Region;
import org.verbena.queue.LocalSegments;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/**
 * Writes prepared transfers into slots of a send ring: the bytes that {@link WorkEncoder} writes for the equal record, by the same checks. Makes no object.
 * An exception on the way gives the claimed slot back, as there.
 */
final class TransferEncoder {
    private TransferEncoder() {}

    /** Writes a part of a transfer into a ring; false when it is full. The parameters are those of {@link QueuePair#post(PreparedTransfer, long, long, long, long, int, SendOptions)}. */
    static boolean post(
            Ring ring,
            PreparedTransfer what,
            long id,
            long localOffset,
            long length,
            long remoteOffset,
            int immediate,
            SendOptions options,
            PostRules rules,
            PostMemory memory) {
        int key = check(what, localOffset, length, rules);
        checkUnused(what, remoteOffset, immediate);
        int flags = WorkEncoder.flags(options);
        long position = ring.claim();
        if (position < 0) {
            return false;
        }
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        long list = slot + SendSlot.HEADER_LENGTH;
        try {
            memory.start();
            int segments = length == 0 ? 0 : 1;
            SendSlot.begin(slots, slot, id, what.operation(), flags);
            SendSlot.segments(slots, slot, segments);
            SendSlot.messageLength(slots, slot, length);
            if (segments != 0) {
                LocalSegments.write(slots, list, what.local().address() + localOffset, length, key);
            }
            if (what.hasImmediate()) {
                SendSlot.argument(slots, slot, immediate);
            }
            writeDestination(slots, slot, what, remoteOffset);
            SendSlot.counted(slots, slot, memory.finish(slots, list, segments));
        } catch (RuntimeException | Error refused) {
            memory.undo(slots, list);
            ring.leaveProducer();
            throw refused;
        }
        ring.publish(position);
        return true;
    }

    private static void writeDestination(MemorySegment slots, long slot, PreparedTransfer what, long remoteOffset) {
        RemoteMemory remote = what.remote();
        AddressHandle to = what.to();
        if (remote != null) {
            SendSlot.remote(slots, slot, remote.address() + remoteOffset, remote.key());
        } else if (to != null) {
            SendSlot.destination(slots, slot, to.number(), what.queuePair(), what.qkey());
        }
    }

    /** The checks before a slot is claimed; the key of the region. */
    private static int check(PreparedTransfer what, long localOffset, long length, PostRules rules) {
        AddressHandle to = what.to();
        if (to == null) {
            rules.service().require(what.operation());
        } else {
            rules.service().requireDatagrams();
        }
        Region local = what.local();
        int key = local.key(); // throws if it is closed
        long most = local.length();
        if (localOffset < 0 || length < 0 || localOffset > most - length) {
            throw new IllegalArgumentException("a part of the " + most + " bytes of the region expected; found "
                    + length + " bytes from offset " + localOffset + " on");
        }
        WorkEncoder.requireMessageLength(length);
        if (to != null) {
            WorkEncoder.checkDatagram(length, to, rules.domain());
        }
        return key;
    }

    /** A value that the kind has no place for is a mistake: two numbers in the wrong order, for instance. */
    private static void checkUnused(PreparedTransfer what, long remoteOffset, int immediate) {
        if (what.remote() == null && remoteOffset != 0) {
            throw new IllegalArgumentException("remote offset 0 expected, as " + name(what)
                    + " names no memory of the peer; found " + remoteOffset);
        }
        if (!what.hasImmediate() && immediate != 0) {
            throw new IllegalArgumentException("immediate data 0 expected, as " + name(what) + " carries none; found 0x"
                    + Integer.toHexString(immediate));
        }
    }

    private static String name(PreparedTransfer what) {
        Operation operation = what.operation();
        return what.to() == null ? operation.toString() : operation + " as a datagram";
    }
}
