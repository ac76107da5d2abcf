package org.verbena.fabric.flow;

/**
 * The flow control packets that a port sends at least every 65,536 symbol times, whether there is news or not. Only those behind a lost packet have an
 * effect, so only those happen.
 */
final class Refresh extends Event {
    private final PortFlow port;

    Refresh(PortFlow port) {
        this.port = port;
    }

    @Override
    void happen() {
        port.refresh();
    }
}
