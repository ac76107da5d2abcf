package org.verbena.fabric.flow;

/** The next repetition of a trap. */
final class TrapTimer extends Event {
    private final Flow flow;

    TrapTimer(Flow flow) {
        this.flow = flow;
    }

    /** The time of the next repetition may have changed. */
    void arm() {
        long deadlineNs = flow.traps.nextDeadlineNs();
        flow.events.remove(this);
        if (deadlineNs < Flow.NEVER_NS) {
            flow.events.add(this, Math.max(flow.nowPs, deadlineNs * Flow.PS_PER_NS));
        }
    }

    @Override
    void happen() {
        flow.traps.poll(flow.nowNs());
        arm();
    }
}
