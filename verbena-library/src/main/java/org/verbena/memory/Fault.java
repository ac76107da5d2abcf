package org.verbena.memory;

/**
 * A page fault, from the access that met it until the pages are there: which ranges are wanted, who is told, and the lease
 * that keeps the pages from being evicted before they were used. One access, one fault; made by
 * {@link ProtectionTable#fault}.
 *
 * <p>Ranges are added and it is started by one thread; {@link #outcome} and {@link #release} may be called by any.
 */
public final class Fault {
    /** Is told that a fault has ended. */
    @FunctionalInterface
    public interface Listener {
        /** Called once, by any thread, unless {@link Fault#start} said that there is nothing to wait for. Must not block. */
        void onEnd(Fault fault);
    }

    /** What will be done to the memory. */
    public enum Intent {
        /** It will be read. What remains of the message is brought in after what is wanted at once. */
        READ,
        /** It will be written, in part perhaps. What remains is brought in as well. */
        WRITE,
        /** All that remains will be written by one message: pages wholly within need not be brought in. */
        OVERWRITE
    }

    private final ProtectionTable table;
    private final Listener listener;

    Fault(ProtectionTable table, Listener listener) {
        this.table = table;
        this.listener = listener;
    }

    /**
     * Adds a range. Nothing happens before {@link #start}.
     *
     * @param length bytes wanted now
     * @param remaining bytes the message has from the address on, at least the length
     * @return GRANTED, or why the access would be refused whatever is resident
     */
    public Verdict add(Accessor who, int key, long address, long length, long remaining, Intent intent) {
        return table.judge(who, key, address, length);
    }

    /** Asks for the pages; true if all are there already, leased, and nobody will be told. */
    public boolean start() {
        return true;
    }

    /** NOT_RESIDENT while it lasts; then GRANTED, or why the pages cannot be had. */
    public Verdict outcome() {
        return Verdict.GRANTED;
    }

    /** Ends the lease; a fault that still lasts is given up, and nobody told. Idempotent. */
    public void release() {}

    @Override
    public String toString() {
        return "page fault: " + outcome() + ", " + listener;
    }
}
