package org.verbena.tools.link;

import java.net.InetAddress;
import java.util.function.Function;
import org.verbena.link.Link;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.time.NanoClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** A link or a network of streams, on which an adapter is opened. */
public final class Place implements AutoCloseable {
    private final String name;
    private final Function<AdapterOptions, Adapter> opening;
    private final Runnable closing;
    private final boolean streams;

    private Place(String name, Function<AdapterOptions, Adapter> opening, Runnable closing, boolean streams) {
        this.name = name;
        this.opening = opening;
        this.closing = closing;
        this.streams = streams;
    }

    /** On a link. */
    public static Place of(Link link) {
        return new Place(link.local().toString(), options -> Adapter.open(link, options), link::close, false);
    }

    /** On a network of streams. */
    public static Place of(StreamNetwork network) {
        InetAddress local = network.locals().getFirst();
        return new Place(
                local.getHostAddress(),
                options -> Adapter.open(network, NanoClock.system(), options),
                network::close,
                true);
    }

    /** The same under another name. */
    public Place named(String other) {
        return new Place(other, opening, closing, streams);
    }

    /** Its address, for people. */
    public String name() {
        return name;
    }

    /** Whether it has streams: connections are made by a listener and a connector. */
    public boolean hasStreams() {
        return streams;
    }

    /** Opens the adapter, which owns the link or network from now on. */
    public Adapter open(AdapterOptions options) {
        return opening.apply(options);
    }

    /** Closes the link or network; an adapter that was opened on it has done so when it is closed. */
    @Override
    public void close() {
        closing.run();
    }
}
