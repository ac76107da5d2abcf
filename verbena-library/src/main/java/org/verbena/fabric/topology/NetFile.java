package org.verbena.fabric.topology;

import java.nio.file.Path;
import java.util.List;

/**
 * A net file of ibsim: a topology as text. Saved output of {@code ibnetdiscover} is one too. The reference page on net files has the format.
 *
 * @param topology the nodes in the order of the file, and their cables
 * @param commands the lines {@code do} in the order of the file
 */
public record NetFile(Topology topology, List<Command> commands) {
    /**
     * A command for the console of the fabric.
     *
     * @param text without the word {@code do}
     * @param file where it stands
     * @param line where it stands, from 1 on
     */
    public record Command(String text, String file, int line) {}

    public NetFile {
        commands = List.copyOf(commands);
    }

    /**
     * Reads a file. Names of files that it includes are relative to its folder.
     *
     * @throws TopologyException if the file cannot be read, or a line is wrong: it names file and line
     */
    public static NetFile read(Path file) {
        return parse(file.toString(), new NetFolder(file));
    }

    /**
     * Reads the file that a source has under a name.
     *
     * @throws TopologyException if a line is wrong: it names file and line
     */
    public static NetFile parse(String name, NetSource source) {
        return new NetParser(source).parse(name);
    }

    /**
     * A topology as a net file. {@link #parse} gives an equal topology, and ibsim reads the file too.
     *
     * @throws TopologyException if the format cannot express a rate of a port, or a node's name
     */
    public static String write(Topology topology) {
        return new NetWriter(topology).text();
    }
}
