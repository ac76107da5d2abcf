package org.verbena.tools.perf;

/** Answers every message with one of the same kind. */
final class EchoingTarget implements Target {
    private final Exchange exchange;
    private long next;
    private boolean owesAnswer;

    EchoingTarget(Side side, SideAddress peer, Tally tally) {
        this.exchange = Exchange.of(side, peer, tally);
    }

    @Override
    public int turn() {
        if (!owesAnswer && !exchange.hasArrived(next)) {
            return 0;
        }
        owesAnswer = !exchange.post(next);
        if (!owesAnswer) {
            next++;
        }
        return 1;
    }

    @Override
    public boolean needsConsumer() {
        return true;
    }

    @Override
    public boolean watchesMemory() {
        return exchange.watchesMemory();
    }
}
