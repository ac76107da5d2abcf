package org.verbena.adapter.iwarp.port;

import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.link.stream.StreamFailure;
import org.verbena.trace.CounterCells;
import org.verbena.trace.MetricGroup;
import org.verbena.trace.Unit;
import org.verbena.wire.iwarp.TerminateCode;

/** The counters of the streams of one engine. The engine's thread adds, any thread reads. */
public final class StreamCounters extends CounterCells {
    /** The ends of negotiations, as values of a label. */
    private enum Outcome {
        AGREED,
        REJECTED,
        TIMED_OUT,
        FAILED
    }

    private static final String UNKNOWN_CODE = "unknown";

    private static final int SENT_UNITS = 0;
    private static final int SENT_BYTES = 1;
    private static final int RECEIVED_UNITS = 2;
    private static final int RECEIVED_BYTES = 3;
    private static final int CRC_ERRORS = 4;
    private static final int MARKER_ERRORS = 5;
    private static final int PAGE_WAITS = 6;
    private static final int PAGE_WAIT_NS = 7;
    private static final int RECEIVE_WAITS = 8;
    private static final int RECEIVE_WAIT_NS = 9;
    private static final int BUFFER_WAITS = 10;
    private static final int BUFFERS = 11;
    private static final int OPENINGS = 12;
    private static final int STREAMS = 13;
    private static final int PAUSED = 14;
    private static final int NEGOTIATIONS = 15;
    private static final int CODES = TerminateCode.values().length + 1;
    private static final int SENT_TERMINATES = NEGOTIATIONS + Outcome.values().length;
    private static final int RECEIVED_TERMINATES = SENT_TERMINATES + CODES;

    /** The counters as metrics. */
    public static final MetricGroup<StreamCounters> METRICS = describe();

    /** All zero. */
    public StreamCounters() {
        super(RECEIVED_TERMINATES + CODES);
    }

    private static MetricGroup<StreamCounters> describe() {
        MetricGroup.Builder<StreamCounters> group = MetricGroup.<StreamCounters>named("streams", "adapter")
                .gauge(
                        "open",
                        Unit.STREAMS,
                        "Streams of queue pairs, those that send their last bytes included",
                        of(STREAMS))
                .gauge(
                        "paused",
                        Unit.STREAMS,
                        "Streams that are not read: they wait for a page or for a receive",
                        of(PAUSED))
                .gauge("openings", Unit.STREAMS, "Streams on which the two sides have not agreed yet", of(OPENINGS))
                .gauge("buffers", Unit.BUFFERS, "Buffers that streams have; an idle stream has none", of(BUFFERS))
                .counter("sent_units", Unit.UNITS, "Units of MPA (FPDUs) made for sending", of(SENT_UNITS))
                .counter("sent_bytes", Unit.BYTES, "Bytes of units that the system has taken", of(SENT_BYTES))
                .counter("rcvd_units", Unit.UNITS, "Units of MPA (FPDUs) taken", of(RECEIVED_UNITS))
                .counter("rcvd_bytes", Unit.BYTES, "Bytes received for units", of(RECEIVED_BYTES))
                .counter("crc_errors", Unit.EVENTS, "Streams that ended because a CRC does not match", of(CRC_ERRORS))
                .counter(
                        "marker_errors", Unit.EVENTS, "Streams that ended because a marker is wrong", of(MARKER_ERRORS))
                .counter(
                        "page_waits",
                        Unit.EVENTS,
                        "Times that a stream was not read because a page was missing",
                        of(PAGE_WAITS))
                .counter("page_wait", Unit.NANOSECONDS, "Time of these waits", of(PAGE_WAIT_NS))
                .counter(
                        "receive_waits",
                        Unit.EVENTS,
                        "Times that a stream was not read because no receive was posted",
                        of(RECEIVE_WAITS))
                .counter("receive_wait", Unit.NANOSECONDS, "Time of these waits", of(RECEIVE_WAIT_NS))
                .counter(
                        "buffer_waits",
                        Unit.EVENTS,
                        "Times that a stream with bytes to read found no buffer free",
                        of(BUFFER_WAITS));
        for (Outcome outcome : Outcome.values()) {
            group.counter(
                    "negotiations",
                    Unit.EVENTS,
                    "Negotiations of MPA that have ended",
                    "outcome",
                    lower(outcome),
                    of(NEGOTIATIONS + outcome.ordinal()));
        }
        for (int code = 0; code < CODES; code++) {
            group.counter(
                    "sent_terminates",
                    Unit.MESSAGES,
                    "Terminate messages sent",
                    "code",
                    code(code),
                    of(SENT_TERMINATES + code));
            group.counter(
                    "rcvd_terminates",
                    Unit.MESSAGES,
                    "Terminate messages received",
                    "code",
                    code(code),
                    of(RECEIVED_TERMINATES + code));
        }
        return group.build();
    }

    private static ToLongFunction<StreamCounters> of(int cell) {
        return counters -> counters.value(cell);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String code(int index) {
        return index == CODES - 1 ? UNKNOWN_CODE : lower(TerminateCode.values()[index]);
    }

    void onSent(int units, int bytes) {
        add(SENT_UNITS, units);
        add(SENT_BYTES, bytes);
    }

    void onReceived(long units, int bytes) {
        add(RECEIVED_UNITS, units);
        add(RECEIVED_BYTES, bytes);
    }

    void onDamaged(@Nullable TerminateCode error) {
        if (error == TerminateCode.MPA_CRC) {
            add(CRC_ERRORS, 1);
        } else if (error == TerminateCode.MPA_MARKER) {
            add(MARKER_ERRORS, 1);
        }
    }

    void onPageWait() {
        add(PAGE_WAITS, 1);
    }

    void onPageWaitEnd(long ns) {
        add(PAGE_WAIT_NS, ns);
    }

    void onReceiveWait() {
        add(RECEIVE_WAITS, 1);
    }

    void onReceiveWaitEnd(long ns) {
        add(RECEIVE_WAIT_NS, ns);
    }

    void onBufferWait() {
        add(BUFFER_WAITS, 1);
    }

    /** Buffers are taken, or given back if it is negative. */
    void addBuffers(int count) {
        add(BUFFERS, count);
    }

    void addOpenings(int count) {
        add(OPENINGS, count);
    }

    void addStreams(int count) {
        add(STREAMS, count);
    }

    void addPaused(int count) {
        add(PAUSED, count);
    }

    void onAgreed() {
        end(Outcome.AGREED);
    }

    void onRejected() {
        end(Outcome.REJECTED);
    }

    void onFailed(StreamFailure why) {
        end(why == StreamFailure.TIMED_OUT ? Outcome.TIMED_OUT : Outcome.FAILED);
    }

    private void end(Outcome outcome) {
        add(NEGOTIATIONS + outcome.ordinal(), 1);
    }

    void onTerminateSent(@Nullable TerminateCode reason) {
        add(SENT_TERMINATES + index(reason), 1);
    }

    void onTerminateReceived(@Nullable TerminateCode reason) {
        add(RECEIVED_TERMINATES + index(reason), 1);
    }

    private static int index(@Nullable TerminateCode reason) {
        return reason == null ? CODES - 1 : reason.ordinal();
    }
}
