package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The installed programs that the tests start. */
final class SubnetTools {
    private static final List<String> PROGRAMS =
            List.of("opensm", "ibsim", "ibnetdiscover", "perfquery", "smpquery", "saquery", "ibping");
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");

    private SubnetTools() {}

    /** Skips the test if a program is missing. */
    static void requireInstalled() {
        List<String> missing = new ArrayList<>(
                PROGRAMS.stream().filter(name -> find(name).isEmpty()).toList());
        if (library().isEmpty()) {
            missing.add("libumad2sim.so");
        }
        assumeTrue(
                missing.isEmpty(), () -> missing + " not installed (packages opensm, infiniband-diags, ibsim-utils)");
    }

    /** Where a program is; its name alone if it is nowhere. */
    static String path(String program) {
        return find(program).map(Path::toString).orElse(program);
    }

    private static Optional<Path> find(String program) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The library that leads a tool's accesses to its device to a server of the protocol. */
    static Optional<Path> library() {
        for (String folder : List.of("/usr/lib", "/usr/lib64")) {
            Path direct = Path.of(folder, "umad2sim", "libumad2sim.so");
            if (Files.exists(direct)) {
                return Optional.of(direct);
            }
            if (Files.isDirectory(Path.of(folder))) {
                try (DirectoryStream<Path> machines = Files.newDirectoryStream(Path.of(folder), Files::isDirectory)) {
                    for (Path machine : machines) {
                        Path found = machine.resolve("umad2sim/libumad2sim.so");
                        if (Files.exists(found)) {
                            return Optional.of(found);
                        }
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return Optional.empty();
    }
}
