package org.verbena.interop.subnet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The net files of the tests. */
enum Nets {
    TWO_SWITCH("two-switch", "h1"),
    RING6("ring6", "h0-0"),
    FAT_TREE("fattree2-16", "h0-0"),
    MESH("mesh4x4", "h-0-0-0"),
    RING("ring", "h0-0"),
    TORUS("torus", "h-0-0-0"),
    TREE3("tree3", "h0-0-0"),
    DRAGONFLY("dragonfly", "h0-0-0"),
    IRREGULAR("irregular", "h0-0");

    /** The golden ones are those of the library's tests. */
    private static final Path GOLDEN = Path.of("../verbena-library/src/test/resources/subnets");

    private static final Path MADS = Path.of("../verbena-library/src/test/resources/vectors/subnets");

    private static final Path OWN = Path.of("src/test/resources/subnets");

    private final String label;
    private final String host;

    Nets(String label, String host) {
        this.label = label;
        this.host = host;
    }

    /** The node at which the subnet manager is. */
    String host() {
        return host;
    }

    Path file() {
        Path own = OWN.resolve(label + ".net");
        return (Files.exists(own) ? own : golden(label + ".net")).toAbsolutePath();
    }

    private Path golden(String name) {
        return GOLDEN.resolve(label).resolve(name).toAbsolutePath();
    }

    /** Datagrams of a sweep of the net with two switches. */
    static Path datagrams(String name) {
        return MADS.resolve(name);
    }

    /** Options of OpenSM that an engine needs here. */
    List<String> options(String engine) {
        Path roots = OWN.resolve(label + ".roots").toAbsolutePath();
        boolean rooted = engine.equals("updn") || engine.equals("dnup");
        return rooted && Files.exists(roots) ? List.of("-a", roots.toString()) : List.of();
    }
}
