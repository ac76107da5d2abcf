package org.verbena.adapter.pair;

import java.util.List;

/** The carriers of an engine, in the order in which they are asked. */
public final class Carriers {
    private final List<PairCarrier> carriers;

    public Carriers(List<? extends PairCarrier> carriers) {
        this.carriers = List.copyOf(carriers);
    }

    /**
     * Has the first carrier that reaches the peer make the transport.
     *
     * @throws IllegalStateException if no carrier reaches it
     */
    Transport attach(Pair pair, AttachParameters parameters) {
        for (PairCarrier carrier : carriers) {
            if (carrier.reaches(parameters)) {
                return carrier.attach(pair, parameters);
            }
        }
        throw new IllegalStateException("no carrier of the adapter has service " + parameters.service()
                + (parameters.remote() == null ? "" : " to " + parameters.remote()));
    }
}
