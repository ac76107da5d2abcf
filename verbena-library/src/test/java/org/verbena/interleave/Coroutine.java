package org.verbena.interleave;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Code that stops in the middle and goes on later, on the same thread. A switch takes a tenth of a microsecond, which is what
 * makes runs of a hundred million steps possible. The JDK builds its virtual threads of it and does not export it:
 * {@code --add-exports java.base/jdk.internal.vm=ALL-UNNAMED}.
 */
final class Coroutine {
    private static final MethodHandle MAKE;
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;
    private static final MethodHandle IS_DONE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            Class<?> type = Class.forName("jdk.internal.vm.Continuation");
            Class<?> scopeType = Class.forName("jdk.internal.vm.ContinuationScope");
            Object scope = scopeType.getConstructor(String.class).newInstance("actors");
            MAKE = lookup.findConstructor(type, MethodType.methodType(void.class, scopeType, Runnable.class))
                    .bindTo(scope)
                    .asType(MethodType.methodType(Object.class, Runnable.class));
            RUN = lookup.findVirtual(type, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            IS_DONE = lookup.findVirtual(type, "isDone", MethodType.methodType(boolean.class))
                    .asType(MethodType.methodType(boolean.class, Object.class));
            YIELD = lookup.findStatic(type, "yield", MethodType.methodType(boolean.class, scopeType))
                    .bindTo(scope);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object continuation;

    Coroutine(Runnable program) {
        continuation = make(program);
    }

    private static Object make(Runnable program) {
        try {
            return (Object) MAKE.invokeExact(program);
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    /** Goes on until it stops; what it throws comes out here. */
    void run() {
        try {
            RUN.invokeExact(continuation);
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    boolean isDone() {
        try {
            return (boolean) IS_DONE.invokeExact(continuation);
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    /** Stops the one that is running. */
    static void stop() {
        try {
            boolean _ = (boolean) YIELD.invokeExact();
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    private static RuntimeException raised(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }
}
