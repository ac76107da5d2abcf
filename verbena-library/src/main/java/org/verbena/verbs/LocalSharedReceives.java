package org.verbena.verbs;

import org.verbena.adapter.Commands;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;

/** Control of a shared receive queue whose engine is in this process. */
final class LocalSharedReceives implements SharedReceiveControl {
    private final ReceiveSource source;
    private final AsyncEvents events;
    private final Commands commands;
    private final Runnable serve;

    LocalSharedReceives(ReceiveSource source, AsyncEvents events, Commands commands) {
        this.source = source;
        this.events = events;
        this.commands = commands;
        this.serve = source.line()::serve;
    }

    /** A shared receive queue of an adapter, whose arguments were checked. */
    static SharedReceiveQueue create(
            Adapter adapter,
            LocalAdapter local,
            ProtectionTable memory,
            AdapterRegistrations registrations,
            int capacity,
            int segmentsMax) {
        Ring ring = local.rings().receives(capacity, segmentsMax);
        OperationCount operations = new OperationCount(memory, null);
        ReceiveSource source = new ReceiveSource(ring, true, local.events().sink(), operations);
        SharedReceiveQueue queue = new SharedReceiveQueue(
                adapter,
                ring,
                segmentsMax,
                PostMemory.of(operations, registrations.supply(), adapter::defaultDomain),
                new LocalSharedReceives(source, local.events(), local.parts().commands()));
        local.events().know(source, queue);
        return queue;
    }

    /** The source that queue pairs take their receives from. */
    ReceiveSource source() {
        return source;
    }

    @Override
    public void limit(int receives) {
        source.limit(receives);
    }

    @Override
    public void onWanted() {
        commands.submitAndWake(serve);
    }

    @Override
    public void onClosed() {
        source.limit(0);
        source.discard(source.emptyHand());
        events.forget(source);
    }
}
