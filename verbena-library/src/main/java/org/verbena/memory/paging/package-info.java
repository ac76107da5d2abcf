/**
 * Pages that come and go. Start at {@link org.verbena.memory.paging.Stage}, one stage of translation: its page words say where each
 * page is. An access pins the pages it touches, copies, and unpins them. The stage's
 * {@link org.verbena.memory.paging.Driver}, usually a {@link org.verbena.memory.paging.Pager}, brings missing pages in. The words of
 * this package are in the glossary of docs/internals/paging.md.
 *
 * <p>Threads: any thread may call everything unless a class says otherwise. Page words change by compare-and-set. The state of a
 * driver is changed inside its {@link org.verbena.memory.paging.Monitor} only; a thread that finds the monitor occupied leaves its
 * event there and goes on, so no thread waits.
 */
@NullMarked
package org.verbena.memory.paging;

import org.jspecify.annotations.NullMarked;
