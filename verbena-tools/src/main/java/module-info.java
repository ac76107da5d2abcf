/** The {@code verbena} command: a consumer of the library like any other, it sees only the packages that the library exports. */
@SuppressWarnings("requires-automatic") // HdrHistogram names no module; the command is one jar in the end
module org.verbena.tools {
    requires static org.jspecify;
    requires HdrHistogram;
    requires info.picocli;
    requires jdk.management;
    requires org.verbena;
    requires org.verbena.services;

    // picocli fills annotated fields.
    opens org.verbena.tools to
            info.picocli;
    opens org.verbena.tools.console to
            info.picocli;
    opens org.verbena.tools.demo to
            info.picocli;
    opens org.verbena.tools.fabric to
            info.picocli;
    opens org.verbena.tools.lan to
            info.picocli;
    opens org.verbena.tools.link to
            info.picocli;
    opens org.verbena.tools.memory to
            info.picocli;
    opens org.verbena.tools.perf to
            info.picocli;
    opens org.verbena.tools.pingpong to
            info.picocli;
    opens org.verbena.tools.rping to
            info.picocli;
}
