package org.verbena.bench.figures;

/** A measurement gave no value; the message says what was done and what came instead. */
public final class MeasurementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MeasurementException(String message) {
        super(message);
    }

    public MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}
