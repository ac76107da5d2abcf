package org.verbena.memory.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.verbena.memory.PageSize;
import org.verbena.system.NativeAccess;

/**
 * Memory from the operating system: aligned to 2 MiB, all zeros. It gets real pages when it is first touched, large ones
 * where possible. On systems other than Linux it is an ordinary allocation.
 */
public final class AnonymousMapping {
    private static final long ALIGNMENT = PageSize.MIB_2.bytes();
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1;

    private AnonymousMapping() {}

    /**
     * Maps memory; the arena unmaps it.
     *
     * @throws IllegalCallerException if the JVM denies native access
     */
    public static MemorySegment map(Arena arena, long bytes) {
        if (!isLinux()) {
            return arena.allocate(bytes, ALIGNMENT);
        }
        NativeAccess.require();
        return Linux.map(arena, bytes);
    }

    /** Gives real pages back to the operating system; they read as zeros when they are touched again. */
    static void discard(MemorySegment pages) {
        if (isLinux()) {
            Linux.advise(pages.address(), pages.byteSize(), MADV_DONTNEED);
        } else {
            pages.fill((byte) 0);
        }
    }

    private static boolean isLinux() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    }

    /** Loaded on Linux only. */
    @SuppressWarnings("restricted") // system calls
    private static final class Linux {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle MMAP = handle(
                "mmap",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG));
        private static final MethodHandle MUNMAP = handle(
                "munmap", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        private static final MethodHandle MADVISE = handle(
                "madvise",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

        static MemorySegment map(Arena arena, long bytes) {
            long mapped = Math.addExact(bytes, ALIGNMENT);
            long address = mmap(mapped);
            long aligned = (address + ALIGNMENT - 1) & -ALIGNMENT;
            advise(aligned, bytes, MADV_HUGEPAGE);
            MemorySegment _ = MemorySegment.ofAddress(address).reinterpret(mapped, arena, _ -> munmap(address, mapped));
            return MemorySegment.ofAddress(aligned).reinterpret(bytes, arena, null);
        }

        private static long mmap(long bytes) {
            long address;
            try {
                address = (long) MMAP.invokeExact(0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
            } catch (Throwable t) {
                throw new AssertionError("mmap", t);
            }
            if (address == MAP_FAILED) {
                throw new IllegalStateException(
                        "the operating system has no " + bytes + " bytes of address space left");
            }
            return address;
        }

        /** A kernel that does not follow the advice is no error. */
        private static void advise(long address, long bytes, int advice) {
            try {
                int _ = (int) MADVISE.invokeExact(address, bytes, advice);
            } catch (Throwable t) {
                throw new AssertionError("madvise", t);
            }
        }

        private static void munmap(long address, long bytes) {
            int failed;
            try {
                failed = (int) MUNMAP.invokeExact(address, bytes);
            } catch (Throwable t) {
                throw new AssertionError("munmap", t);
            }
            assert failed == 0 : "munmap of " + bytes + " bytes";
        }

        private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
        }
    }
}
