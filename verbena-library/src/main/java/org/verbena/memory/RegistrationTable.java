package org.verbena.memory;

import java.util.List;

/**
 * Memory that is registered because a work request names it, and stays registered for the next one. An adapter has one table, which serves all its queue
 * pairs; a consumer that wants budgets of its own makes another one and names it in the options of its queue pairs. Any thread may call every method.
 *
 * <p>A buffer that the table knows costs no registration, no system call, no lock and no allocation. A buffer that it does not know is
 * registered, with local rights only. Nothing is deregistered after an operation. An entry is removed when the arena of its memory is closed, when it has
 * not been used for long, when its thread has ended, or when a budget is used up; never while a work request names it.
 *
 * <p>An entry belongs to one arena. Memory at the same address that comes from another arena is another buffer. Memory that is freed without its arena, by
 * {@code Unsafe.invokeCleaner} or by native code, is not noticed.
 */
public interface RegistrationTable extends AutoCloseable {
    /** The owner: an adapter or a consumer. For people. */
    String owner();

    /** Its budgets and times. */
    RegistrationOptions options();

    /** Its entries, in no order. */
    List<Registration> list();

    /** What it has done, and what it has now. */
    RegistrationCounts counts();

    /**
     * Removes the entries whose arena is closed, which are idle for too long, or whose thread has ended. A thread of the library does this from time to time,
     * unless the adapter is run by hand.
     *
     * @return entries removed
     */
    int sweep();

    /**
     * Removes every entry that no work request names.
     *
     * @return entries removed
     */
    int clear();

    /**
     * Removes all entries; the table takes no more. Memory that a work request still names is not touched any more: the request completes in error. When the
     * last such request has ended, the table leaves the metrics. A second call does nothing. The adapter closes the tables that it has made.
     */
    @Override
    void close();
}
