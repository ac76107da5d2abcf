package org.verbena.memory.registration;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import org.verbena.system.NativeAccess;

/**
 * Locks pages in memory. One thread at a time.
 *
 * <p>Pages are locked when they are first touched: locking does not fill memory that the consumer has not used.
 */
abstract class PageLock {
    /** The limit of a system that has none, and of one whose limit is not known. */
    static final long NO_LIMIT = Long.MAX_VALUE;

    /** Of this system; one that refuses everything where there are no page locks, or the JVM denies native access. */
    static PageLock ofSystem() {
        boolean linux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
        return linux && NativeAccess.isGranted() ? new Linux() : new None();
    }

    /** Locks the pages of a range; 0, or an error number of the system. */
    abstract int lock(long address, long length);

    /** Unlocks the pages of a range; pages that are not mapped any more are no error. */
    abstract void unlock(long address, long length);

    /** Bytes that this process may lock. */
    abstract long limit();

    /** A system without page locks. */
    private static final class None extends PageLock {
        private static final int ENOSYS = 38;

        @Override
        int lock(long address, long length) {
            return ENOSYS;
        }

        @Override
        void unlock(long address, long length) {}

        @Override
        long limit() {
            return 0;
        }
    }

    /** Loaded on Linux only. */
    @SuppressWarnings("restricted") // system calls
    private static final class Linux extends PageLock {
        private static final int MLOCK_ONFAULT = 1;
        private static final int RLIMIT_MEMLOCK = 8;
        private static final Linker LINKER = Linker.nativeLinker();
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle MLOCK2 = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("mlock2"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT),
                Linker.Option.captureCallState("errno"));
        private static final MethodHandle MUNLOCK = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("munlock"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        private static final MethodHandle GETRLIMIT = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("getrlimit"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

        private final MemorySegment state = Arena.ofAuto().allocate(STATE);

        @Override
        int lock(long address, long length) {
            try {
                int failed = (int) MLOCK2.invokeExact(state, address, length, MLOCK_ONFAULT);
                return failed == 0 ? 0 : (int) ERRNO.get(state, 0L);
            } catch (Throwable t) {
                throw new AssertionError("mlock2", t);
            }
        }

        @Override
        void unlock(long address, long length) {
            try {
                int _ = (int) MUNLOCK.invokeExact(address, length);
            } catch (Throwable t) {
                throw new AssertionError("munlock", t);
            }
        }

        @Override
        long limit() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment limits = arena.allocate(2 * Long.BYTES, Long.BYTES);
                int failed = (int) GETRLIMIT.invokeExact(RLIMIT_MEMLOCK, limits.address());
                long soft = limits.get(ValueLayout.JAVA_LONG, 0);
                return failed != 0 || soft < 0 ? NO_LIMIT : soft;
            } catch (Throwable t) {
                throw new AssertionError("getrlimit", t);
            }
        }
    }
}
