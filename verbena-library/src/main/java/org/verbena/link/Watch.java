package org.verbena.link;

/** A descriptor or channel that a {@link Sleeper} watches. All calls by the driving thread; none costs a system call if nothing changes. */
public interface Watch {
    /**
     * Sets the events that end a sleep, also one that another thread is in: data to read, room to write, both or none. A new watch has none.
     * An incoming connection is data to read; the end of an attempt to connect is room to write.
     */
    void wants(boolean read, boolean write);

    /** Ends the watch. Called before the descriptor or channel is closed. Closing again does nothing. */
    void close();
}
