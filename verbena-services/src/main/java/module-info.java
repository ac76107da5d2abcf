/** Protocols above verbs: the messaging layer and the split network driver. Sees only the packages that the library exports. */
module org.verbena.services {
    requires static org.jspecify;
    requires transitive org.verbena;

    exports org.verbena.services.lan;
    exports org.verbena.services.push;
}
