package org.verbena.memory.paging;

/** Where events are worked off one at a time, by whoever finds it free. */
interface Monitor {
    /** Leaves an event there; it is worked off at the next {@link #poke}, or before. */
    void submit(Runnable event);

    /** Works off what is there, unless somebody is at it already, who then does that, too. */
    void poke();
}
