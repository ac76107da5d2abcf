package org.verbena.simulation;

import org.verbena.memory.Window;

/** The life of a window: shut, being bound, open, being shut. The owner binds it, the peer uses it, either may shut it. */
final class WindowCycle {
    enum State {
        SHUT,
        BINDING,
        OPEN,
        SHUTTING
    }

    private final Window window;
    private State state = State.SHUT;
    private int key;
    private long offset;
    private long length;
    private int uses;

    WindowCycle(Window window) {
        this.window = window;
    }

    Window window() {
        return window;
    }

    State state() {
        return state;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    int key() {
        return key;
    }

    /** Where in the target zone it begins. */
    long offset() {
        return offset;
    }

    long length() {
        return length;
    }

    /** Requests posted that use it and are not done. */
    int uses() {
        return uses;
    }

    void onBinding(int newKey, long targetOffset, long bytes) {
        state = State.BINDING;
        key = newKey;
        offset = targetOffset;
        length = bytes;
    }

    void onShutting() {
        state = State.SHUTTING;
    }

    void onUsed() {
        uses++;
    }

    void onUseDone() {
        uses--;
    }

    /** The local request that binds or shuts it is done. */
    void onDone() {
        state = state == State.BINDING ? State.OPEN : State.SHUT;
    }

    /** The peer has shut it. */
    void onInvalidated() {
        state = State.SHUT;
    }
}
