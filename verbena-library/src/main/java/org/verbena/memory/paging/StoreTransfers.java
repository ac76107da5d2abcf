package org.verbena.memory.paging;

import java.util.function.Consumer;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.StoreTransferEvent;

/** Begins the transfers of a pager. The end of a transfer is an event of the pager's monitor. */
final class StoreTransfers {
    private final PageStore store;
    private final Monitor monitor;
    private boolean moved;

    StoreTransfers(PageStore store, Monitor monitor) {
        this.store = store;
        this.monitor = monitor;
    }

    /** Reads neighbouring pages of a stage into machine memory. */
    void read(Stage stage, long firstPage, long[] positions, boolean byCaller, Consumer<Transfer> onEnd) {
        Transfer transfer = make(Transfer.Kind.READ, "read", stage, firstPage, positions, onEnd);
        begin(byCaller ? transfer.byCaller() : transfer);
    }

    /** Writes neighbouring pages of a stage from machine memory. */
    void write(Stage stage, long firstPage, long[] positions, Consumer<Transfer> onEnd) {
        begin(make(Transfer.Kind.WRITE, "write", stage, firstPage, positions, onEnd));
    }

    private Transfer make(
            Transfer.Kind kind, String name, Stage stage, long firstPage, long[] positions, Consumer<Transfer> onEnd) {
        StoreTransferEvent event = StoreTransferEvent.start();
        return new Transfer(kind, stage.slot(firstPage), stage.machine(), positions, ended -> {
            StoreTransferEvent.stop(event, name, ended.pages(), ended.outcome(0).name());
            monitor.onTransferEnded(ended.pages(), () -> {
                moved = true;
                onEnd.accept(ended);
            });
        });
    }

    private void begin(Transfer transfer) {
        monitor.onTransferBegun();
        store.submit(transfer);
    }

    /** Whether a transfer has ended since the last call. Inside the monitor. */
    boolean takeMoved() {
        boolean was = moved;
        moved = false;
        return was;
    }
}
