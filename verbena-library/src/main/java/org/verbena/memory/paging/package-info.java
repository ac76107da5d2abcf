/**
 * Pages that come and go. Start at {@link org.verbena.memory.paging.Stage}: one stage of translation, whose page words say
 * where each page is; an access pins the pages it touches, copies, and lets go. What is not there is brought in by the
 * stage's {@link org.verbena.memory.paging.Driver}, as a rule a {@link org.verbena.memory.paging.Pager}.
 *
 * <p>Threads: any, everywhere. Page words change by compare-and-set. A pager's own state belongs to whichever thread is
 * inside its monitor; who finds it occupied leaves its event there and goes on, so nobody ever waits.
 */
@NullMarked
package org.verbena.memory.paging;

import org.jspecify.annotations.NullMarked;
