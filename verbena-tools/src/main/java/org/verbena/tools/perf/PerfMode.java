package org.verbena.tools.perf;

/** Which figure is wanted. */
public enum PerfMode {
    /** Many messages outstanding: how many bytes and messages in a second. */
    BANDWIDTH("bw"),
    /** One message at a time: how long each takes. */
    LATENCY("lat");

    private final String label;

    PerfMode(String label) {
        this.label = label;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return label;
    }
}
