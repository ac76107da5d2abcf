package org.verbena.link.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * System calls of Linux: for sockets and devices, and to wait for descriptors. Every method returns the result of the call or, where that is −1, the error number as a
 * negative number. An instance remembers the error of its last call and so belongs to one thread. Pointers are plain addresses: the
 * caller keeps their memory alive.
 *
 * <p>Loading this class binds the functions: nothing but a Linux JVM may touch it.
 */
@SuppressWarnings("restricted") // foreign functions are the purpose of this class
public final class Libc {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENOSYS = 38;
    public static final int EBADFD = 77;
    public static final int EMSGSIZE = 90;
    public static final int EADDRINUSE = 98;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ENOBUFS = 105;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    // Pointers and size_t have 64 bits on the supported machines: a long spares the life-time check of a segment.
    private static final MethodHandle SOCKET = bind("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = bind("bind", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKNAME = bind("getsockname", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            bind("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMMSG = bind("sendmmsg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    // The two calls of the data path do not capture the error number: a capture allocates an object unless the compiler
    // inlines the whole call.
    private static final MethodHandle SENDMMSG_ONLY = only("sendmmsg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle RECVMMSG_ONLY =
            only("recvmmsg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECVMMSG = bind("recvmmsg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle PPOLL = bind("ppoll", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EPOLL_CREATE = bind("epoll_create1", JAVA_INT);
    private static final MethodHandle EPOLL_CTL = bind("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle EPOLL_WAIT = bind("epoll_wait", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    /** Null where the C library does not have it yet. */
    private static final @Nullable MethodHandle EPOLL_PWAIT2 = LINKER.defaultLookup()
            .find("epoll_pwait2")
            .map(found -> LINKER.downcallHandle(
                    found,
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG),
                    CAPTURE))
            .orElse(null);

    private static final MethodHandle EVENTFD = bind("eventfd", JAVA_INT, JAVA_INT);
    private static final MethodHandle EVENTFD_WRITE = bind("eventfd_write", JAVA_INT, JAVA_LONG);
    private static final MethodHandle CLOSE = bind("close", JAVA_INT);
    private static final MethodHandle SETNS = bind("setns", JAVA_INT, JAVA_INT);
    private static final MethodHandle CONNECT = bind("connect", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle OPEN = variadic("open", JAVA_LONG, JAVA_INT);
    private static final MethodHandle IOCTL = variadic("ioctl", JAVA_INT, JAVA_LONG, JAVA_LONG);
    // Calls for one frame, with and without the error number.
    private static final MethodHandle READV = transfer("readv", JAVA_INT, CAPTURE);
    private static final MethodHandle READV_ONLY = transfer("readv", JAVA_INT);
    private static final MethodHandle WRITEV_ONLY = transfer("writev", JAVA_INT);
    private static final MethodHandle RECVMSG = transfer("recvmsg", JAVA_INT, CAPTURE);
    private static final MethodHandle RECVMSG_ONLY = transfer("recvmsg", JAVA_INT);
    private static final MethodHandle SENDMSG_ONLY = transfer("sendmsg", JAVA_INT);
    private static final MethodHandle STRERROR = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strerror"),
            FunctionDescriptor.of(
                    ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, ValueLayout.JAVA_BYTE)), JAVA_INT));

    private final MemorySegment state = Arena.ofAuto().allocate(STATE);

    private static MethodHandle bind(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments), CAPTURE);
    }

    private static MethodHandle only(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** A function whose arguments from the third on differ from call to call. */
    private static MethodHandle variadic(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, arguments),
                CAPTURE,
                Linker.Option.firstVariadicArg(2));
    }

    /** A function of a descriptor, an address and an int that returns a number of bytes. */
    private static MethodHandle transfer(String name, MemoryLayout last, Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, last),
                options);
    }

    public int socket(int domain, int type, int protocol) {
        try {
            return result((int) SOCKET.invokeExact(state, domain, type, protocol));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int bind(int fd, long address, int length) {
        try {
            return result((int) BIND.invokeExact(state, fd, address, length));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int getsockname(int fd, long address, long length) {
        try {
            return result((int) GETSOCKNAME.invokeExact(state, fd, address, length));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Sets an option whose value is an int. */
    public int setsockopt(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            return setsockopt(fd, level, option, arena.allocateFrom(JAVA_INT, value));
        }
    }

    /** Sets an option whose value is a structure. */
    public int setsockopt(int fd, int level, int option, MemorySegment value) {
        try {
            int length = (int) value.byteSize();
            return result((int) SETSOCKOPT.invokeExact(state, fd, level, option, value.address(), length));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int sendmmsg(int fd, long messages, int count, int flags) {
        try {
            int sent = (int) SENDMMSG_ONLY.invokeExact(fd, messages, count, flags);
            // A failed call has no effect: the second one returns the error, or succeeds.
            return sent >= 0 ? sent : result((int) SENDMMSG.invokeExact(state, fd, messages, count, flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns −1 for every error; the most frequent one is that no message is there. */
    public int recvmmsg(int fd, long messages, int count, int flags) {
        try {
            return (int) RECVMMSG_ONLY.invokeExact(fd, messages, count, flags, 0L);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** The same with the error number. May allocate. */
    public int recvmmsgOrError(int fd, long messages, int count, int flags) {
        try {
            return result((int) RECVMMSG.invokeExact(state, fd, messages, count, flags, 0L));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int ppoll(long descriptors, int count, long timeout) {
        try {
            return result((int) PPOLL.invokeExact(state, descriptors, (long) count, timeout, 0L));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int epollCreate(int flags) {
        try {
            return result((int) EPOLL_CREATE.invokeExact(state, flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int epollControl(int epoll, int operation, int fd, long event) {
        try {
            return result((int) EPOLL_CTL.invokeExact(state, epoll, operation, fd, event));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int epollWait(int epoll, long events, int count, int timeoutMs) {
        try {
            return result((int) EPOLL_WAIT.invokeExact(state, epoll, events, count, timeoutMs));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** −ENOSYS where C library or kernel do not have it yet. */
    public int epollPwait2(int epoll, long events, int count, long timeout) {
        MethodHandle call = EPOLL_PWAIT2;
        if (call == null) {
            return -ENOSYS;
        }
        try {
            return result((int) call.invokeExact(state, epoll, events, count, timeout, 0L));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int eventfd(int initial, int flags) {
        try {
            return result((int) EVENTFD.invokeExact(state, initial, flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int eventfdWrite(int fd, long value) {
        try {
            return result((int) EVENTFD_WRITE.invokeExact(state, fd, value));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int close(int fd) {
        try {
            return result((int) CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Moves the calling thread, a platform thread, to another namespace. */
    public int setns(int fd, int kind) {
        try {
            return result((int) SETNS.invokeExact(state, fd, kind));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public int connect(int fd, long address, int length) {
        try {
            return result((int) CONNECT.invokeExact(state, fd, address, length));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Opens a file that is there. */
    public int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return result((int) OPEN.invokeExact(state, arena.allocateFrom(path).address(), flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Asks a device; the argument is a pointer or a number, as the request has it. */
    public int ioctl(int fd, long request, long argument) {
        try {
            return result((int) IOCTL.invokeExact(state, fd, request, argument));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns −1 for every error; the most frequent one is that nothing is there. */
    public long readv(int fd, long vectors, int count) {
        try {
            return (long) READV_ONLY.invokeExact(fd, vectors, count);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** The same with the error number. May allocate. */
    public long readvOrError(int fd, long vectors, int count) {
        try {
            return result((long) READV.invokeExact(state, fd, vectors, count));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns −1 for every error. */
    public long writev(int fd, long vectors, int count) {
        try {
            return (long) WRITEV_ONLY.invokeExact(fd, vectors, count);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns −1 for every error; the most frequent one is that no message is there. */
    public long recvmsg(int fd, long message, int flags) {
        try {
            return (long) RECVMSG_ONLY.invokeExact(fd, message, flags);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** The same with the error number. May allocate. */
    public long recvmsgOrError(int fd, long message, int flags) {
        try {
            return result((long) RECVMSG.invokeExact(state, fd, message, flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns −1 for every error. */
    public long sendmsg(int fd, long message, int flags) {
        try {
            return (long) SENDMSG_ONLY.invokeExact(fd, message, flags);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** The text of an error number. */
    public static String describe(int errno) {
        try {
            return ((MemorySegment) STRERROR.invokeExact(errno)).getString(0) + " (" + errno + ")";
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private long result(long returned) {
        return returned >= 0 ? returned : -(int) ERRNO.get(state, 0L);
    }

    private int result(int returned) {
        return returned >= 0 ? returned : -(int) ERRNO.get(state, 0L);
    }

    private static AssertionError impossible(Throwable e) {
        return new AssertionError("a system call does not throw", e);
    }
}
