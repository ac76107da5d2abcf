package org.verbena.link.sleep;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.verbena.link.LinkException;
import org.verbena.link.Watch;

/**
 * Waits for channels of the JDK by a selector. Waits are rounded up to whole milliseconds.
 *
 * <p>A selector takes a new interest, and gives up a channel whose watch has ended, when a wait begins or ends. The system's socket of a channel is open
 * until then. So a new interest, and the end of a watch, end the wait of another thread.
 */
final class SelectorWaiter implements Waiter {
    private static final long NS_PER_MS = 1_000_000;

    private final Selector selector;
    /** Ends the wait that another thread is in; false if there is none. */
    private final BooleanSupplier endWait;

    private final List<Runnable> ready = new ArrayList<>();
    private final Consumer<SelectionKey> onReady = this::remember;

    SelectorWaiter(BooleanSupplier endWait) {
        this.endWait = endWait;
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

    /** What is ready stays ready: the next look or wait finds it. */
    private void giveUpCancelled() {
        try {
            selector.selectNow(key -> {});
        } catch (IOException | ClosedSelectorException e) {
            // As in a wait.
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

    /** A wake-up that it takes was seen by the wait it was for. */
    @Override
    public boolean look() {
        try {
            selector.selectNow(onReady);
        } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
            // As in a wait.
        }
        return false;
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

    private final class ChannelWatch implements Watch {
        private static final int READ = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;

        private final SelectionKey key;

        ChannelWatch(SelectionKey key) {
            this.key = key;
        }

        @Override
        public void wants(boolean read, boolean write) {
            if (!key.isValid()) {
                return;
            }
            int wanted = (read ? READ & key.channel().validOps() : 0) | (write ? writeOperation() : 0);
            int before = key.interestOps();
            if (before != wanted) {
                key.interestOps(wanted);
                if ((wanted & ~before) != 0) {
                    endWait.getAsBoolean();
                }
            }
        }

        private int writeOperation() {
            return key.channel() instanceof SocketChannel stream && stream.isConnectionPending()
                    ? SelectionKey.OP_CONNECT
                    : SelectionKey.OP_WRITE;
        }

        @Override
        public void close() {
            if (key.isValid()) {
                key.cancel();
                if (!endWait.getAsBoolean()) {
                    giveUpCancelled();
                }
            }
        }
    }
}
