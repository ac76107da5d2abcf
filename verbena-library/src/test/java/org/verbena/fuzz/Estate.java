package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.Seed;

/**
 * The memory of an adapter under attack: land that peers may use, between walls that no peer may use. Walls hold a secret that
 * is another one in each run, so that no input can contain it.
 *
 * <pre>
 *    0 KiB  local, for receives and what reads bring
 *    8      wall
 *   16      granted: peers may do everything
 *   32      wall
 *   40      peers may read
 *   48      wall
 *   56      another domain's, where peers of that one may do everything
 * </pre>
 */
final class Estate {
    static final long SECRET = Seed.unpredictable().nextLong();
    static final int BYTES = 64 << 10;
    static final int LOCAL = 0;
    static final int GRANTED = 16 << 10;
    static final int READABLE = 40 << 10;
    static final int FOREIGN = 56 << 10;
    static final int STEP = 8 << 10;

    final MemorySegment land = Arena.ofAuto().allocate(BYTES, 4096);
    final Region local;
    final Region granted;
    final Region readable;
    final Region foreign;
    private final MemorySegment shadow = MemorySegment.ofArray(new byte[BYTES]);

    /** How memory is registered: by an adapter, or by a protection table. */
    @FunctionalInterface
    interface Registrar {
        Region register(ProtectionDomain domain, MemorySegment memory, Set<Right> rights);
    }

    Estate(Registrar registrar, ProtectionDomain domain, ProtectionDomain other) {
        EnumSet<Right> all = EnumSet.allOf(Right.class);
        for (int at = 0; at < BYTES; at += 8) {
            boolean secret = at >= FOREIGN || at / STEP == 1 || at / STEP == 4 || at / STEP == 6;
            land.set(ValueLayout.JAVA_LONG, at, secret ? SECRET : 0);
        }
        local = registrar.register(domain, land.asSlice(LOCAL, STEP), EnumSet.of(Right.LOCAL_WRITE));
        granted = registrar.register(domain, land.asSlice(GRANTED, 2L * STEP), all);
        readable = registrar.register(domain, land.asSlice(READABLE, STEP), EnumSet.of(Right.REMOTE_READ));
        foreign = registrar.register(other, land.asSlice(FOREIGN, STEP), all);
        shadow.copyFrom(land);
    }

    /** A key that a script chose: one of the estate's, nearly one, or any. */
    int key(Script script) {
        int choice = script.unsignedByte();
        return switch (choice & 7) {
            case 0, 1, 2 -> granted.key();
            case 3 -> readable.key();
            case 4 -> local.key();
            case 5 -> foreign.key();
            case 6 -> granted.key() ^ choice >>> 3;
            default -> script.anyInt();
        };
    }

    /** An address that a script chose: in the estate, about its granted part, or any. */
    long address(Script script) {
        int choice = script.unsignedByte();
        return switch (choice & 3) {
            case 0, 1 -> land.address() + GRANTED + (long) (choice >>> 2) * 256;
            case 2 -> land.address() + script.unsignedShort();
            default -> script.anyLong();
        };
    }

    /** Memory that was not granted is unchanged. */
    void assertWallsStand() {
        same(STEP, GRANTED);
        same(GRANTED + 2 * STEP, BYTES);
    }

    private void same(long from, long to) {
        long at = MemorySegment.mismatch(land, from, to, shadow, from, to);
        assertEquals(-1, at, () -> "changed: byte " + (from + at));
    }
}
