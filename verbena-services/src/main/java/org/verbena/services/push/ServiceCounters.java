package org.verbena.services.push;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.Refusal;

/** Counts of one service connection. The thread of the messaging layer adds; any thread reads. */
public final class ServiceCounters {
    private final AtomicLongArray counts = new AtomicLongArray(ServiceCounter.values().length);
    private final AtomicLongArray refusals = new AtomicLongArray(Refusal.values().length);
    private volatile @Nullable String lastRefusal;

    ServiceCounters() {}

    void add(ServiceCounter counter) {
        add(counter, 1);
    }

    void add(ServiceCounter counter, long count) {
        int index = counter.ordinal();
        counts.setOpaque(index, counts.getPlain(index) + count);
    }

    void add(Refusal refusal, String what) {
        int index = refusal.ordinal();
        refusals.setOpaque(index, refusals.getPlain(index) + 1);
        lastRefusal = what;
    }

    /** The present value of a counter. */
    public long value(ServiceCounter counter) {
        return counts.getOpaque(counter.ordinal());
    }

    /** Messages and indications of the peer that were refused. */
    public long refused() {
        long sum = 0;
        for (int i = 0; i < refusals.length(); i++) {
            sum += refusals.getOpaque(i);
        }
        return sum;
    }

    /** Refused messages and indications by reason; reasons that did not occur are left out. */
    public Map<String, Long> refusals() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Refusal refusal : Refusal.values()) {
            long count = refusals.getOpaque(refusal.ordinal());
            if (count != 0) {
                all.put(refusal.label(), count);
            }
        }
        return all;
    }

    /** An exception of the user that ends no connection. */
    void onHandlerFailed(RuntimeException e) {
        lastRefusal = "the user of the connection failed: " + e;
    }

    /** The last refusal with its reason, for people; null if there was none. */
    public @Nullable String lastRefusal() {
        return lastRefusal;
    }

    /** All counters that are not zero, with the refusals. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (ServiceCounter counter : ServiceCounter.values()) {
            if (value(counter) != 0) {
                text.append(' ')
                        .append(counter.name().toLowerCase(Locale.ROOT))
                        .append('=')
                        .append(value(counter));
            }
        }
        return refusals() + text.toString();
    }
}
