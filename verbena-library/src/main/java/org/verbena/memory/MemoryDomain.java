package org.verbena.memory;

/**
 * The owner of managed memory: the host, or a guest of a hypervisor. A protection domain can be bound to one, so that its keys and its
 * queue pairs reach memory of this owner only. Any thread.
 */
public interface MemoryDomain {
    /** Its number: 0 for the host, else unique within its hypervisor. */
    int id();

    /**
     * Whether it is the host. All memory that belongs to no guest is the host's: native memory of the consumer, machine memory, and the
     * memory of the host domains of all hypervisors.
     */
    boolean isHost();

    /** Whether it has been closed: its memory has ended. */
    boolean isClosed();

    /**
     * Has an action run when the domain is closed: once, after its memory has ended, on the thread that closes it. If the domain is closed
     * already, the action is run now.
     */
    void onClosed(Runnable action);

    /** The action is not run any more. */
    void forgetClosed(Runnable action);
}
