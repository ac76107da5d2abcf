package org.verbena.verbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.Watch;
import org.verbena.link.linux.Libc;
import org.verbena.link.linux.LinuxStructs;

/** A source of events that a test brings about and takes: a descriptor, a channel, or a number in memory. */
abstract class OwnSource implements WakeSource, AutoCloseable {
    /** Calls of the driving thread: events told, and last looks before a sleep. */
    final AtomicInteger told = new AtomicInteger();

    final AtomicInteger looks = new AtomicInteger();

    @Nullable
    Watch watch;

    /** Brings an event about. Any thread. */
    abstract void fire();

    /** Takes all events; whether there was one. Any thread. */
    abstract boolean take();

    @Override
    public long sleepMaxNs() {
        looks.incrementAndGet();
        return Long.MAX_VALUE;
    }

    void wants(Watch made) {
        watch = made;
        made.wants(true, false);
    }

    @Override
    public void close() {}

    /** An {@code eventfd} of Linux. */
    @SuppressWarnings("restricted") // the library has no read of a descriptor
    static final class Descriptor extends OwnSource {
        private static final MethodHandle READ = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("read"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG));

        private final int event = new Libc().eventfd(0, LinuxStructs.EFD_NONBLOCK | LinuxStructs.EFD_CLOEXEC);

        @Override
        public void attach(Sleeper sleeper) {
            wants(sleeper.watch(event, told::incrementAndGet));
        }

        @Override
        void fire() {
            new Libc().eventfdWrite(event, 1);
        }

        @Override
        boolean take() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment count = arena.allocate(8, 8);
                return (long) READ.invokeExact(event, count, 8L) == 8;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            new Libc().close(event);
        }
    }

    /** A pipe of the JDK. */
    static final class Channel extends OwnSource {
        private final Pipe pipe;

        Channel() {
            try {
                pipe = Pipe.open();
                pipe.source().configureBlocking(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void attach(Sleeper sleeper) {
            wants(sleeper.watch(pipe.source(), told::incrementAndGet));
        }

        @Override
        void fire() {
            try {
                pipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        boolean take() {
            try {
                return pipe.source().read(ByteBuffer.allocate(64)) > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                pipe.source().close();
                pipe.sink().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A number in memory. */
    static final class Memory extends OwnSource {
        private final AtomicLong events = new AtomicLong();
        private volatile @Nullable Sleeper sleeper;

        @Override
        public void attach(Sleeper by) {
            sleeper = by;
        }

        @Override
        public long sleepMaxNs() {
            looks.incrementAndGet();
            if (events.get() == 0) {
                return Long.MAX_VALUE;
            }
            told.incrementAndGet();
            return 0;
        }

        @Override
        void fire() {
            events.incrementAndGet();
            VarHandle.fullFence();
            Sleeper by = sleeper;
            if (by != null) {
                by.rouse();
            }
        }

        @Override
        boolean take() {
            return events.getAndSet(0) != 0;
        }
    }
}
