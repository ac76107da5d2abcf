package org.verbena.verbs;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.port.IwarpPort;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.link.Link;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.RingMemory;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/** Opens adapters with carriers that the library does not have, for tests in other packages. */
public final class Openings {
    private Openings() {}

    /** The port of iWARP of an adapter that has one. */
    public static IwarpPort iwarp(Adapter adapter) {
        return adapter.streams().port();
    }

    /** An adapter that is run by hand, with one more carrier. */
    public static Adapter open(Link link, NanoClock clock, Function<EngineParts, ? extends PairCarrier> carrier) {
        return open(link, clock, carrier, options -> options);
    }

    /** The same, with options of its own. */
    public static Adapter open(
            Link link,
            NanoClock clock,
            Function<EngineParts, ? extends PairCarrier> carrier,
            UnaryOperator<AdapterOptions> options) {
        return open(link, clock, carrier, options, new ProtectionTable(64, new Seed(1)));
    }

    /** An adapter that is run by hand, with one more carrier, whose keys come from the table. */
    public static Adapter open(
            Link link, NanoClock clock, Function<EngineParts, ? extends PairCarrier> carrier, ProtectionTable table) {
        return open(link, clock, carrier, options -> options, table);
    }

    private static Adapter open(
            Link link,
            NanoClock clock,
            Function<EngineParts, ? extends PairCarrier> carrier,
            UnaryOperator<AdapterOptions> options,
            ProtectionTable table) {
        AdapterOptions byHand =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(1);
        return new Adapter(link, clock, options.apply(byHand), table, RingMemory.LOCAL, List.of(carrier));
    }
}
