package org.verbena.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Gives tests {@link CardGuests}: {@code @ExtendWith(SocketPeers.class)} and a parameter of that type. The tests of a class share them. No privilege is
 * needed. Where there can be no VM, each test is skipped with the reason, or fails, as those of {@link KernelPeer}; a VM that dies is treated as there.
 */
public final class SocketPeers implements BeforeEachCallback, TestExecutionExceptionHandler, ParameterResolver {
    private static final int DEATHS = 2;
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(SocketPeers.class);

    /** For JUnit. */
    public SocketPeers() {}

    /** The guests of a class, started when first asked for, and again after a death. */
    private static final class Holder implements AutoCloseable {
        private @Nullable CardGuests guests;
        private int deaths;

        CardGuests guests() throws IOException {
            CardGuests running = guests;
            if (running == null) {
                running = CardGuests.start();
                guests = running;
            }
            return running;
        }

        /** The console's text of a VM that has ended by itself; null if there is none. */
        @Nullable
        String death() throws IOException {
            String console = guests == null ? null : guests.death();
            if (console != null) {
                deaths++;
                close();
            }
            return console;
        }

        @Override
        public void close() throws IOException {
            if (guests != null) {
                guests.close();
                guests = null;
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        String reason = Kernel.missing();
        if (reason != null) {
            Skip.because(reason);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        Holder holder = holder(context);
        String death = holder.death();
        if (death == null || holder.deaths > DEATHS) {
            throw failure;
        }
        System.err.println("a VM died under " + context.getDisplayName() + "; its console: " + death);
        throw new TestAbortedException("a VM died: " + Skip.panicOf(death), failure);
    }

    /** That of the test's class: it is closed behind the last test. */
    private static Holder holder(ExtensionContext context) {
        return context.getParent()
                .orElse(context)
                .getStore(STORE)
                .computeIfAbsent(Holder.class, _ -> new Holder(), Holder.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == CardGuests.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        try {
            return holder(context).guests();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
