package org.verbena.memory.store;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The system calls of a file on Linux. A {@code FileChannel} of the JDK does not serve: an interrupt of the thread that reads closes
 * it. Loading this class binds the functions of the C library, so only a JVM on Linux may load it.
 */
@SuppressWarnings("restricted") // Foreign functions are what this class is for.
final class LinuxFileCalls implements FileCalls {
    private static final int OPEN_FLAGS =
            0x2 | 0x40 | 0x80 | 0x80000; // read and write, create, exclusive, close on exec
    private static final int OWNER_ONLY = 0600;
    private static final int F_SETFL = 4;
    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int RWF_NOWAIT = 8;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    private static final Linker.Option VARIADIC = Linker.Option.firstVariadicArg(2);

    private static final MethodHandle OPEN = bind("open", JAVA_INT, VARIADIC, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle FCNTL = bind("fcntl", JAVA_INT, VARIADIC, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = bind("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle PREADV = bind("preadv", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final @Nullable MethodHandle PREADV2 =
            bindIfThere("preadv2", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle PWRITEV = bind("pwritev", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle FALLOCATE = bind("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle STRERROR = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strerror"),
            FunctionDescriptor.of(ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, JAVA_BYTE)), JAVA_INT));

    private final MemorySegment state = Arena.ofAuto().allocate(STATE);

    private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments), CAPTURE);
    }

    /** Binds a function that some C libraries do not have. */
    private static @Nullable MethodHandle bindIfThere(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.defaultLookup().find(name).isPresent() ? bind(name, result, arguments) : null;
    }

    private static MethodHandle bind(
            String name, MemoryLayout result, Linker.Option option, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments), CAPTURE, option);
    }

    /** Creates a file that only its owner may open, and opens it; an error if the file exists. */
    int create(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            return (int) result((int) OPEN.invokeExact(state, name, OPEN_FLAGS, OWNER_ONLY));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Sets whether transfers bypass the page cache; an error if the file system does not support it. */
    int setDirect(int fd, boolean direct) {
        try {
            return (int) result((int) FCNTL.invokeExact(state, fd, F_SETFL, direct ? directFlag() : 0));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Value of O_DIRECT, which depends on the architecture; 0 for an architecture that is not listed here. */
    static int directFlag() {
        return switch (System.getProperty("os.arch", "")) {
            case "amd64", "x86_64" -> 0x4000;
            case "aarch64" -> 0x10000;
            default -> 0;
        };
    }

    int close(int fd) {
        try {
            return (int) result((int) CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public long preadv(int fd, long vectors, int count, long position) {
        try {
            return result((long) PREADV.invokeExact(state, fd, vectors, count, position));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public long preadvCached(int fd, long vectors, int count, long position) {
        MethodHandle call = PREADV2;
        if (call == null) {
            return -EINVAL;
        }
        try {
            return result((long) call.invokeExact(state, fd, vectors, count, position, RWF_NOWAIT));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public long pwritev(int fd, long vectors, int count, long position) {
        try {
            return result((long) PWRITEV.invokeExact(state, fd, vectors, count, position));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public int punchHole(int fd, long position, long bytes) {
        try {
            return (int) result((int) FALLOCATE.invokeExact(state, fd, PUNCH_HOLE_KEEP_SIZE, position, bytes));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Text for an error number. */
    static String describe(int errno) {
        try {
            return ((MemorySegment) STRERROR.invokeExact(errno)).getString(0) + " (" + errno + ")";
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private long result(long returned) {
        return returned >= 0 ? returned : -(int) ERRNO.get(state, 0L);
    }

    private static AssertionError impossible(Throwable e) {
        return new AssertionError("a system call does not throw", e);
    }
}
