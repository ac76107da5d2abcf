/** The {@code verbena} command: a consumer of the library like any other, it sees only what the library exports. */
module org.verbena.tools {
    requires static org.jspecify;
    requires info.picocli;
    requires org.verbena;

    // picocli fills annotated fields.
    opens org.verbena.tools to
            info.picocli;
}
