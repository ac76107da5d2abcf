package org.verbena.verbs;

import org.verbena.adapter.Commands;
import org.verbena.adapter.pair.ReceiveSource;

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
