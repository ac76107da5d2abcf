package org.verbena.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A network namespace with a bridge and no way out, gone with its close or with this process. A thread that enters it
 * takes along everything it makes from then on: sockets, threads, processes.
 */
public final class Namespace implements AutoCloseable {
    private static final int CLONE_NEWNET = 0x40000000;
    private static final MethodHandle OPEN =
            handle("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final MethodHandle SETNS =
            handle("setns", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle CLOSE =
            handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final String name;
    private final Guarded keeper;
    private final ThreadLocal<Boolean> entered = ThreadLocal.withInitial(() -> false);

    private Namespace(String name, Guarded keeper) {
        this.name = name;
        this.keeper = keeper;
    }

    /** Makes one that no other run of the tests has. */
    static Namespace make(Path scripts) throws IOException {
        String name = "verbena-" + ProcessHandle.current().pid();
        Guarded keeper = Guarded.start(scripts.resolve("network.sh").toString(), name);
        try {
            keeper.expect("ready");
        } catch (IOException | RuntimeException e) {
            keeper.close();
            throw e;
        }
        return new Namespace(name, keeper);
    }

    String name() {
        return name;
    }

    /** Takes the calling thread there, for good. */
    @SuppressWarnings("restricted") // three calls of libc
    void enter() {
        if (entered.get()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom("/run/netns/" + name);
            int descriptor = (int) OPEN.invokeExact(path, 0);
            int result = (int) SETNS.invokeExact(descriptor, CLONE_NEWNET);
            int unused = (int) CLOSE.invokeExact(descriptor);
            if (result != 0 || unused != 0) {
                throw new UncheckedIOException(new IOException("cannot enter network namespace " + name));
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        entered.set(true);
    }

    @SuppressWarnings("restricted") // three calls of libc
    private static MethodHandle handle(String function, FunctionDescriptor type) {
        return Linker.nativeLinker()
                .downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(function), type);
    }

    @Override
    public void close() {
        keeper.close();
    }
}
