package org.verbena.connect;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.link.Link;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.NanoClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/** An adapter under test with what its queue pairs need. */
final class Site implements AutoCloseable {
    final Adapter adapter;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final MemorySegment memory = Arena.ofAuto().allocate(4096, 64);
    final Region region;

    Site(Link link, NanoClock clock, AdapterOptions options) {
        this(Adapter.open(link, clock, options));
    }

    Site(StreamNetwork streams, NanoClock clock, AdapterOptions options) {
        this(Adapter.open(streams, clock, options));
    }

    Site(Adapter adapter) {
        this.adapter = adapter;
        domain = adapter.createProtectionDomain();
        completions = adapter.createCompletionQueue(1024);
        region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
    }

    QueuePair queuePair() {
        return adapter.createQueuePair(QueuePairOptions.of(domain, completions).withCapacity(4, 4));
    }

    /** One that takes registrations. */
    QueuePair queuePair(RegisterFailure failure) {
        return adapter.createQueuePair(
                QueuePairOptions.of(domain, completions).withCapacity(4, 4).withRegister(failure));
    }

    InetSocketAddress at(int port) {
        return new InetSocketAddress(adapter.endpoint().address(), port);
    }

    /** Everything its communication manager remembers: conversations, listeners, questions, queue pairs of streams. */
    int remembered() {
        Agent agent = Agent.of(adapter);
        int streams = adapter.wire() == Wire.IWARP ? agent.doors().size() + agent.held() : 0;
        return agent.conversations().remembered() + streams;
    }

    @Override
    public void close() {
        adapter.close();
    }
}
