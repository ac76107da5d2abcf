package org.verbena.link.sleep;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.verbena.link.LinkException;
import org.verbena.link.Watch;

/** Waits for channels of the JDK by a selector. Waits are rounded up to whole milliseconds. */
final class SelectorWaiter implements Waiter {
    private static final long NS_PER_MS = 1_000_000;

    private final Selector selector;
    private final List<Runnable> ready = new ArrayList<>();
    private final Consumer<SelectionKey> onReady = this::remember;

    SelectorWaiter() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new LinkException("no selector to wait with: " + e.getMessage(), e);
        }
    }

    private void remember(SelectionKey key) {
        if (key.attachment() instanceof Runnable listener) {
            ready.add(listener);
        }
    }

    Watch watch(SelectableChannel channel, Runnable listener) {
        try {
            return new ChannelWatch(channel.register(selector, 0, listener));
        } catch (IOException | ClosedSelectorException e) {
            throw new LinkException("watch of " + channel + " refused: " + e.getMessage(), e);
        }
    }

    @Override
    public void prepare() {}

    @Override
    public boolean await(long timeoutNs) {
        try {
            return selector.select(onReady, (timeoutNs - 1) / NS_PER_MS + 1) > 0;
        } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
            return true; // the next look at the sources shows the reason
        }
    }

    @Override
    public void tell() {
        for (int i = 0; i < ready.size(); i++) {
            ready.get(i).run();
        }
        ready.clear();
    }

    @Override
    public void rouse() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            // Closing is the only purpose; the caller could do nothing more.
        }
    }

    private record ChannelWatch(SelectionKey key) implements Watch {
        @Override
        public void wants(boolean read, boolean write) {
            int wanted = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
            if (key.isValid() && key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        }

        @Override
        public void close() {
            key.cancel();
        }
    }
}
