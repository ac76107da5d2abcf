package org.verbena.memory.store;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A file system with hardly any room, seen by the thread that mounts it only: that thread has a mount namespace of its own,
 * which ends with it. Needs the rights of the superuser.
 */
final class TinyFileSystem {
    private static final int CLONE_FS_NEWNS = 0x200 | 0x20000;
    private static final long MS_REC_PRIVATE = 0x4000 | 0x40000;

    private TinyFileSystem() {}

    /** Hides the directory behind an empty file system for the calling thread; false if that is not allowed. */
    static boolean mount(Path directory, int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle unshare = handle("unshare", JAVA_INT);
            MethodHandle mount = handle("mount", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
            MemorySegment none = MemorySegment.NULL;
            MemorySegment type = arena.allocateFrom("tmpfs");
            MemorySegment root = arena.allocateFrom("/");
            MemorySegment where = arena.allocateFrom(directory.toAbsolutePath().toString());
            MemorySegment size = arena.allocateFrom("size=" + bytes);
            return (int) unshare.invokeExact(CLONE_FS_NEWNS) == 0
                    && (int) mount.invokeExact(none, root, none, MS_REC_PRIVATE, none) == 0
                    && (int) mount.invokeExact(type, where, type, 0L, size) == 0;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("restricted") // two calls of libc
    private static MethodHandle handle(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }
}
