package org.verbena.verbs;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.RegisterFailure;
import org.verbena.adapter.Limits;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.RegistrationTable;

/**
 * Parts and sizes of a queue pair. Immutable; the {@code with} methods give changed copies.
 *
 * @param service of the queue pair
 * @param domain whose regions and windows the queue pair may use
 * @param sendCompletions queue for the completions of sends
 * @param receiveCompletions queue for the completions of receives; may be the same
 * @param sharedReceives queue that receives are taken from; null for a receive queue of its own
 * @param sendCapacity requests that the send queue holds, rounded up to a power of two
 * @param receiveCapacity receives that a receive queue of its own holds, rounded up to a power of two
 * @param segmentsMax segments of a gather or scatter list at most
 * @param inlineMax bytes of inline data at most
 * @param registrations table that buffers of its requests are registered in; null for the adapter's
 * @param registerFailure effect of a {@link WorkRequest.Register} that fails; null if the queue pair takes no registrations
 */
public record QueuePairOptions(
        Service service,
        ProtectionDomain domain,
        CompletionQueue sendCompletions,
        CompletionQueue receiveCompletions,
        @Nullable SharedReceiveQueue sharedReceives,
        int sendCapacity,
        int receiveCapacity,
        int segmentsMax,
        int inlineMax,
        @Nullable RegistrationTable registrations,
        @Nullable RegisterFailure registerFailure) {
    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if one is out of the range of {@link AdapterLimits}
     */
    public QueuePairOptions {
        require("sendCapacity", sendCapacity, 1, Limits.RING_CAPACITY_MAX);
        require("receiveCapacity", receiveCapacity, 1, Limits.RING_CAPACITY_MAX);
        require("segmentsMax", segmentsMax, 1, Limits.SEGMENTS_MAX);
        require("inlineMax", inlineMax, 0, Limits.INLINE_MAX);
    }

    /**
     * A reliable connection with one completion queue for both directions, 128 requests each way, 4 segments, 64 inline bytes. It takes no
     * {@linkplain #withRegister registrations}.
     */
    public static QueuePairOptions of(ProtectionDomain domain, CompletionQueue completions) {
        return new QueuePairOptions(Service.RC, domain, completions, completions, null, 128, 128, 4, 64, null, null);
    }

    /**
     * As {@link #of(ProtectionDomain, CompletionQueue)}, in the {@linkplain Adapter#defaultDomain default domain} of the completion
     * queue's adapter.
     */
    public static QueuePairOptions of(CompletionQueue completions) {
        return of(completions.adapter().defaultDomain(), completions);
    }

    /** A copy with this service. */
    public QueuePairOptions withService(Service other) {
        return with(draft -> draft.service = other);
    }

    /** A copy whose receives complete in this queue; its sends complete in the same queue as before. */
    public QueuePairOptions withReceiveCompletions(CompletionQueue queue) {
        return with(draft -> draft.receiveCompletions = queue);
    }

    /** A copy that takes its receives from this queue; {@code receiveCapacity} has no effect then. */
    public QueuePairOptions withSharedReceives(SharedReceiveQueue queue) {
        return with(draft -> draft.sharedReceives = queue);
    }

    /**
     * A copy with these capacities.
     *
     * @throws IllegalArgumentException if one of them is not 1 … {@link AdapterLimits#queueCapacity}
     */
    public QueuePairOptions withCapacity(int sends, int receives) {
        return with(draft -> {
            draft.sendCapacity = sends;
            draft.receiveCapacity = receives;
        });
    }

    /**
     * A copy whose lists have at most this many segments.
     *
     * @throws IllegalArgumentException if it is not 1 … {@link AdapterLimits#segments}
     */
    public QueuePairOptions withSegmentsMax(int segments) {
        return with(draft -> draft.segmentsMax = segments);
    }

    /**
     * A copy whose inline data has at most this many bytes.
     *
     * @throws IllegalArgumentException if it is not 0 … {@link AdapterLimits#inlineBytes}
     */
    public QueuePairOptions withInlineMax(int bytes) {
        return with(draft -> draft.inlineMax = bytes);
    }

    /**
     * A copy whose buffers are registered in this table: see {@link Adapter#createRegistrationTable}. Receives that are posted to a shared receive queue are
     * registered in the adapter's.
     */
    public QueuePairOptions withRegistrations(RegistrationTable table) {
        return with(draft -> draft.registrations = table);
    }

    /**
     * A copy that takes registrations by its send queue: {@link WorkRequest.Register}. Services RC and UC have them.
     *
     * @param failure effect of a registration that fails
     */
    public QueuePairOptions withRegister(RegisterFailure failure) {
        return with(draft -> draft.registerFailure = failure);
    }

    private QueuePairOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    static void require(String what, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " must be " + least + " … " + most + "; found " + found);
        }
    }

    /** A copy being changed. */
    private static final class Draft {
        private Service service;
        private ProtectionDomain domain;
        private CompletionQueue sendCompletions;
        private CompletionQueue receiveCompletions;
        private @Nullable SharedReceiveQueue sharedReceives;
        private int sendCapacity;
        private int receiveCapacity;
        private int segmentsMax;
        private int inlineMax;
        private @Nullable RegistrationTable registrations;
        private @Nullable RegisterFailure registerFailure;

        private Draft(QueuePairOptions from) {
            service = from.service;
            domain = from.domain;
            sendCompletions = from.sendCompletions;
            receiveCompletions = from.receiveCompletions;
            sharedReceives = from.sharedReceives;
            sendCapacity = from.sendCapacity;
            receiveCapacity = from.receiveCapacity;
            segmentsMax = from.segmentsMax;
            inlineMax = from.inlineMax;
            registrations = from.registrations;
            registerFailure = from.registerFailure;
        }

        private QueuePairOptions finish() {
            return new QueuePairOptions(
                    service,
                    domain,
                    sendCompletions,
                    receiveCompletions,
                    sharedReceives,
                    sendCapacity,
                    receiveCapacity,
                    segmentsMax,
                    inlineMax,
                    registrations,
                    registerFailure);
        }
    }
}
