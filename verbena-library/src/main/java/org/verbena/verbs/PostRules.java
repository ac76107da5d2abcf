package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.memory.ProtectionDomain;

/**
 * Limits of the requests that may be posted to a queue pair.
 *
 * @param service decides which operations there are
 * @param segmentsMax segments of a gather or scatter list at most
 * @param inlineMax bytes of inline data at most
 * @param domain whose address handles a datagram may name; null where the poster does not know it: the engine checks each
 *     handle again
 * @param registers whether the queue pair takes registrations
 */
record PostRules(
        Service service,
        int segmentsMax,
        int inlineMax,
        @Nullable ProtectionDomain domain,
        boolean registers) {
    static PostRules of(QueuePairOptions options) {
        return new PostRules(
                options.service(),
                options.segmentsMax(),
                options.inlineMax(),
                options.domain(),
                options.registerFailure() != null);
    }

    /** Refuses a registration unless the queue pair takes them. */
    void requireRegisters() {
        if (!registers) {
            throw new IllegalArgumentException(
                    "the queue pair takes no registrations: create it with QueuePairOptions.withRegister");
        }
    }
}
