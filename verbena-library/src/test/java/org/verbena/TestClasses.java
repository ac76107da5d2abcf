package org.verbena;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** The classes of library and tests, for a JVM that a test starts. */
public final class TestClasses {
    private TestClasses() {}

    /** A class path. Tests run as part of the module: the module path goes with the class path here. */
    public static String path() {
        String separator = System.getProperty("path.separator", ":");
        String modules = System.getProperty("jdk.module.path", "");
        String patches = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--patch-module=org.verbena="))
                .map(argument -> argument.substring(argument.indexOf('=', 15) + 1))
                .findFirst()
                .orElse(Path.of("target", "test-classes").toString());
        String all = System.getProperty("java.class.path", "");
        return String.join(
                separator,
                all.isEmpty() ? patches : all,
                patches,
                Path.of("target", "classes").toAbsolutePath().toString(),
                Path.of("target", "test-classes").toAbsolutePath().toString(),
                modules);
    }
}
