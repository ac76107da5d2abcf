package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.subnet.Smp;

/** Checks management keys: the levels of protection, the lease and the count of violations (specification 14.2.4). */
final class KeyGuard {
    /** From this level on a Get needs the key too. */
    private static final int LEVEL_READ = 2;
    /** From this level on a Get without the key does not show the key. */
    private static final int LEVEL_HIDE = 1;

    private static final int VIOLATIONS_MAX = 0xffff;
    private static final long SECOND_NS = 1_000_000_000L;

    private KeyGuard() {}

    /** Whether a packet may be followed. If not, the violation is counted, the lease begins to run and a trap is sent. */
    static boolean admits(ManagedPort end, MemorySegment mad, int method, long nowNs) {
        if (nowNs >= end.leaseEndNs) {
            end.leaseEndNs = Long.MAX_VALUE;
            end.keyProtection = 0;
        }
        if (end.managementKey == 0) {
            return true;
        }
        if (Smp.MANAGEMENT_KEY.read(mad, 0) == end.managementKey) {
            end.leaseEndNs = Long.MAX_VALUE;
            return true;
        }
        if (method == Smp.METHOD_GET && end.keyProtection < LEVEL_READ) {
            return true;
        }
        end.keyViolations = Math.min(end.keyViolations + 1, VIOLATIONS_MAX);
        if (end.keyLeasePeriod != 0 && end.leaseEndNs == Long.MAX_VALUE) {
            end.leaseEndNs = nowNs + end.keyLeasePeriod * SECOND_NS;
        }
        Notices.badKey(end, mad, nowNs);
        return false;
    }

    /** The key that a packet with this key may see. */
    static long shown(ManagedPort end, long key) {
        return end.keyProtection >= LEVEL_HIDE && key != end.managementKey ? 0 : end.managementKey;
    }
}
