package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Whose turn it is: transports with work, served round robin, a few packets each. */
public final class Scheduler {
    private @Nullable Transport[] waiting = new @Nullable Transport[64];
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

    /** One round, or less when the turn's effort is used up. */
    void run(long nowNs, Transmitter transmitter) {
        long limit = transmitter.effort() + Limits.TRANSMIT_PER_TURN;
        for (int left = size; left > 0 && transmitter.effort() < limit; left--) {
            Transport transport = take();
            transport.scheduleMark().scheduled = false;
            running = transport;
            if (transport.transmit(nowNs, Limits.TRANSMIT_PER_QUEUE_PAIR)) {
                add(transport);
            }
            running = null;
        }
    }

    /** Whose turn was cut short; null if nobody's was. Asked once. */
    @Nullable
    Transport takeRunning() {
        Transport cut = running;
        running = null;
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
