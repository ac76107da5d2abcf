package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Whose turn it is: transports with work, served round robin, a few packets each. */
public final class Scheduler {
    private @Nullable Transport[] waiting = new @Nullable Transport[64];
    /** Those who have sent in the present round and want to go on. */
    private @Nullable Transport[] satisfied = new @Nullable Transport[64];

    private int satisfiedCount;

    private int head;
    private int size;
    private @Nullable Transport running;

    /** Puts a transport at the end of the list, unless it is in it. */
    public void add(Transport transport) {
        ScheduleMark mark = transport.scheduleMark();
        if (!mark.scheduled) {
            mark.scheduled = true;
            append(transport);
        }
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * One round, or less when the turn's effort is used up. Who could send nothing, because the link is full, comes before
     * those who could: else the same few would find room in every turn.
     */
    void run(long nowNs, Transmitter transmitter) {
        long limit = transmitter.effort() + Limits.TRANSMIT_PER_TURN;
        for (int left = size; left > 0 && transmitter.effort() < limit; left--) {
            Transport transport = take();
            transport.scheduleMark().scheduled = false;
            running = transport;
            long before = transmitter.effort();
            if (transport.transmit(nowNs, Limits.TRANSMIT_PER_QUEUE_PAIR)) {
                comeAgain(transport, transmitter.effort() > before);
            }
            running = null;
        }
        admitSatisfied();
    }

    private void comeAgain(Transport transport, boolean served) {
        if (!served || transport.scheduleMark().scheduled) {
            add(transport);
            return;
        }
        transport.scheduleMark().scheduled = true;
        if (satisfiedCount == satisfied.length) {
            satisfied = Arrays.copyOf(satisfied, satisfiedCount * 2);
        }
        satisfied[satisfiedCount++] = transport;
    }

    private void admitSatisfied() {
        for (int i = 0; i < satisfiedCount; i++) {
            Transport transport = satisfied[i];
            assert transport != null : satisfiedCount + " are satisfied, but not the one at " + i;
            append(transport);
            satisfied[i] = null;
        }
        satisfiedCount = 0;
    }

    /** Whose turn was cut short; null if nobody's was. Asked once. */
    @Nullable
    Transport takeRunning() {
        Transport cut = running;
        running = null;
        admitSatisfied();
        return cut;
    }

    private void append(Transport transport) {
        if (size == waiting.length) {
            grow();
        }
        waiting[(head + size) & (waiting.length - 1)] = transport;
        size++;
    }

    private Transport take() {
        Transport transport = waiting[head];
        assert transport != null : "the list has " + size + " but nothing at its head";
        waiting[head] = null;
        head = (head + 1) & (waiting.length - 1);
        size--;
        return transport;
    }

    private void grow() {
        @Nullable Transport[] larger = Arrays.copyOfRange(waiting, head, head + waiting.length * 2);
        System.arraycopy(waiting, 0, larger, waiting.length - head, head);
        Arrays.fill(larger, waiting.length, larger.length, null);
        waiting = larger;
        head = 0;
    }
}
