package org.verbena.fabric.topology;

/** Where the text of a net file, and of the files that it includes, comes from. */
@FunctionalInterface
public interface NetSource {
    /**
     * The text of a file.
     *
     * @param name as the line {@code include} or the caller has it
     * @throws TopologyException if there is none
     */
    String text(String name);
}
