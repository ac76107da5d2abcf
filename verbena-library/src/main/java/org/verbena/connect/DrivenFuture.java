package org.verbena.connect;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.verbena.verbs.ManagementPort;

/**
 * A future that an adapter completes, and whose waits drive the adapter if it runs inline: without that, {@code join} would wait for
 * ever. A wait that could never end throws {@link IllegalStateException}: of an adapter that is run by hand, or on the engine's
 * thread. Futures that are derived from it wait in the same way.
 */
final class DrivenFuture<T> extends CompletableFuture<T> {
    private static final Duration LONG = Duration.ofHours(1);

    private final ManagementPort port;

    DrivenFuture(ManagementPort port) {
        this.port = port;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new DrivenFuture<>(port);
    }

    @Override
    public T join() {
        boolean interrupted = false;
        while (!isDone()) {
            try {
                drive(LONG);
            } catch (InterruptedException e) {
                interrupted = true; // join does not end by an interrupt
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        while (!isDone()) {
            drive(LONG);
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!isDone()) {
            drive(Duration.of(timeout, unit.toChronoUnit()));
        }
        return super.get(0, TimeUnit.NANOSECONDS);
    }

    private void drive(Duration timeout) throws InterruptedException {
        port.await(this, timeout);
    }
}
