package org.verbena.fabric.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The golden subnets in the test resources. */
final class GoldenNet {
    static final List<String> NAMES = List.of("two-switch", "ring6", "fattree2-16", "mesh4x4");

    private GoldenNet() {}

    static String text(String name) {
        return resource(name + "/" + name + ".net");
    }

    static String discovered(String name) {
        return resource(name + "/ibnetdiscover.txt");
    }

    static Topology topology(String name) {
        return parse(text(name));
    }

    /** The topology of a text; {@code net} is the name of the file in errors. */
    static Topology parse(String text) {
        return NetFile.parse("net", _ -> text).topology();
    }

    private static String resource(String path) {
        try (InputStream in = Objects.requireNonNull(GoldenNet.class.getResourceAsStream("/subnets/" + path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
