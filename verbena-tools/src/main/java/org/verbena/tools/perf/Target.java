package org.verbena.tools.perf;

/** The end that messages are sent to. Its turns run on one thread: its own, or the initiator's. */
sealed interface Target permits PassiveTarget, ReceivingTarget, EchoingTarget, Target.Elsewhere {
    /** A target that needs no turns from here. */
    Target ELSEWHERE = new Elsewhere();

    /** Ready before its first message: to be made when its queue pair is connected and before the initiator is told. */
    static Target of(Side side, SideAddress peer, Tally tally) {
        PerfOperation operation = side.plan().operation();
        new Verifier(side, tally).beforeTarget();
        if (operation.returnsData()
                || (operation == PerfOperation.WRITE && !side.plan().isLatency())) {
            return new PassiveTarget(side, tally);
        }
        return side.plan().isLatency() ? new EchoingTarget(side, peer, tally) : new ReceivingTarget(side, tally);
    }

    /** Does the work there is, without waiting; returns the amount of work done. */
    int turn();

    /** Whether turns are needed though the engine has a thread of its own. */
    boolean needsConsumer();

    /** Whether the arrival of a message has no completion. */
    boolean watchesMemory();

    /** See {@link #ELSEWHERE}. */
    final class Elsewhere implements Target {
        private Elsewhere() {}

        @Override
        public int turn() {
            return 0;
        }

        @Override
        public boolean needsConsumer() {
            return false;
        }

        @Override
        public boolean watchesMemory() {
            return false;
        }
    }
}
