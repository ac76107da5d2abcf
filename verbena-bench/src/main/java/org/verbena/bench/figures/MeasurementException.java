package org.verbena.bench.figures;

/** A measurement gave no value; the message says what was done and what came instead. */
final class MeasurementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MeasurementException(String message) {
        super(message);
    }

    MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}
