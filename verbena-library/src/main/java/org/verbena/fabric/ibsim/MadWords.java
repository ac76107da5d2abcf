package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;
import org.verbena.wire.mad.Mad;

/** The fields of a management datagram that the server looks at, without an object. */
final class MadWords {
    static final int CLASS_SUBNET = 0x01;
    static final int CLASS_DIRECTED = 0x81;
    static final int CLASS_ADMINISTRATION = 0x03;

    static final int METHOD_TRAP_REPRESS = 7;

    static final int PERMISSIVE_LID = 0xffff;

    private static final int RESPONSE = 0x80;
    private static final int CLASS = 1;
    private static final int CLASS_VERSION = 2;
    private static final int CLASS_VERSION_MAX = 2;
    private static final int METHOD = 3;
    private static final int STATUS = 4;
    private static final int DIRECTION = 0x8000;
    private static final int HOP_POINTER = 6;
    private static final int HOP_COUNT = 7;
    private static final int HOPS_MAX = 63;
    private static final int TRANSACTION = 8;
    /** Set in the transactions of clients, so that no adapter of the fabric, whose transactions are small numbers, has the same. */
    private static final int SLOT_MARK = 0x8000;

    private MadWords() {}

    static int managementClass(MemorySegment mad) {
        return BigEndian.readByte(mad, CLASS);
    }

    static int method(MemorySegment mad) {
        return BigEndian.readByte(mad, METHOD);
    }

    static boolean isResponse(MemorySegment mad) {
        return (method(mad) & RESPONSE) != 0;
    }

    static boolean isSubnet(int managementClass) {
        return managementClass == CLASS_SUBNET || managementClass == CLASS_DIRECTED;
    }

    static long transaction(MemorySegment mad) {
        return BigEndian.readLong(mad, TRANSACTION);
    }

    /** Whether the highest 16 bits of the transaction are those that the server writes for a slot. */
    static boolean isOfSlot(MemorySegment mad, int slot) {
        return BigEndian.readShort(mad, TRANSACTION) == (SLOT_MARK | slot);
    }

    static void markSlot(MemorySegment mad, int slot) {
        BigEndian.writeShort(mad, TRANSACTION, SLOT_MARK | slot);
    }

    /** Whether the versions and, of a directed datagram, the route's fields are such as a client may send. */
    static boolean isWellFormed(MemorySegment mad) {
        if (BigEndian.readByte(mad, 0) != Mad.BASE_VERSION
                || BigEndian.readByte(mad, CLASS_VERSION) > CLASS_VERSION_MAX) {
            return false;
        }
        if (managementClass(mad) != CLASS_DIRECTED) {
            return true;
        }
        boolean returns = (BigEndian.readShort(mad, STATUS) & DIRECTION) != 0;
        return BigEndian.readByte(mad, HOP_POINTER) == 0
                && BigEndian.readByte(mad, HOP_COUNT) <= HOPS_MAX
                && returns == isResponse(mad);
    }
}
