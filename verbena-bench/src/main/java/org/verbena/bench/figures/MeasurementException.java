package org.verbena.bench.figures;

/** A measurement gave no value. The message has the command and its output. */
public final class MeasurementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MeasurementException(String message) {
        super(message);
    }

    public MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}
