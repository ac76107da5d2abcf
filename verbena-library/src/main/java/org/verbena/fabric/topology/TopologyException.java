package org.verbena.fabric.topology;

import java.util.Optional;
import java.util.OptionalInt;

/** A topology or a net file that is not possible. The message says what was found and what is expected, and for a net file the line. */
public final class TopologyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final int line;
    private final transient int node;

    public TopologyException(String message) {
        this(message, -1);
    }

    /** About the node with this index. */
    TopologyException(String message, int node) {
        super(message);
        this.file = "";
        this.line = 0;
        this.node = node;
    }

    /** About a line of a net file. */
    TopologyException(String file, int line, String message) {
        super(file + ":" + line + ": " + message);
        this.file = file;
        this.line = line;
        this.node = -1;
    }

    /** The net file, if the fault is in one. */
    public Optional<String> file() {
        return file.isEmpty() ? Optional.empty() : Optional.of(file);
    }

    /** The line of the net file, from 1 on. */
    public OptionalInt line() {
        return line == 0 ? OptionalInt.empty() : OptionalInt.of(line);
    }

    /** Index of the node that the fault is in; negative if it is in none. */
    int node() {
        return node;
    }
}
