package org.verbena.link.association;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.time.Seed;

/**
 * One end of an association within the process, in virtual time. Each message takes a time of its own, so that messages overtake each other;
 * some come twice. A message that is not taken is sent again after a while. One seed, one history.
 */
public final class SimulatedAssociation implements Association {
    /**
     * The way between the ends.
     *
     * @param delayNs shortest time on the way
     * @param jitterNs added to it, a random part of this
     * @param againNs time after which a message that was lost or not taken is sent again
     * @param lostPercent messages that are lost once
     * @param twicePercent messages that come twice
     */
    public record Way(long delayNs, int jitterNs, long againNs, int lostPercent, int twicePercent) {}

    /** Messages in one direction; each has a slot from the send until it is taken. */
    private static final class Flow {
        final MemorySegment bytes;
        final long[] numbers;
        final int[] lengths;
        final long[] arrivesNs;
        final boolean[] repeated;
        final int messageMax;
        long sent;
        int onTheWay;
        boolean ended;

        Flow(int messageMax, int messagesMax) {
            this.messageMax = messageMax;
            bytes = MemorySegment.ofArray(new byte[messageMax * messagesMax]);
            numbers = new long[messagesMax];
            lengths = new int[messagesMax];
            arrivesNs = new long[messagesMax];
            repeated = new boolean[messagesMax];
            Arrays.fill(arrivesNs, FREE);
        }

        /** The slot whose message arrives first; the lower number of two. Negative if none is on the way. */
        int first() {
            int first = -1;
            for (int slot = 0; slot < arrivesNs.length; slot++) {
                boolean earlier = arrivesNs[slot] != FREE
                        && (first < 0
                                || arrivesNs[slot] < arrivesNs[first]
                                || (arrivesNs[slot] == arrivesNs[first] && numbers[slot] < numbers[first]));
                first = earlier ? slot : first;
            }
            return first;
        }

        int free() {
            for (int slot = 0; slot < arrivesNs.length; slot++) {
                if (arrivesNs[slot] == FREE) {
                    return slot;
                }
            }
            throw new IllegalStateException(onTheWay + " messages are on the way; there is no room");
        }

        long at(int slot) {
            return (long) slot * messageMax;
        }
    }

    private static final long FREE = Long.MAX_VALUE;
    private static final int PERCENT = 100;

    private final Flow input;
    private final Flow output;
    private final Way way;
    private final Seed seed;
    private boolean closed;

    private SimulatedAssociation(Flow input, Flow output, Way way, Seed seed) {
        this.input = input;
        this.output = output;
        this.way = way;
        this.seed = seed;
    }

    /**
     * Two ends that are connected.
     *
     * @param messageMax bytes of the longest message
     * @param messagesMax messages on the way in one direction at most
     */
    public static SimulatedAssociation[] pair(int messageMax, int messagesMax, Way way, Seed seed) {
        Flow one = new Flow(messageMax, messagesMax);
        Flow two = new Flow(messageMax, messagesMax);
        return new SimulatedAssociation[] {
            new SimulatedAssociation(one, two, way, seed), new SimulatedAssociation(two, one, way, seed)
        };
    }

    @Override
    public int messageMax() {
        return output.messageMax;
    }

    @Override
    public int room() {
        return closed ? 0 : output.numbers.length - output.onTheWay;
    }

    @Override
    public void send(long nowNs, MemorySegment memory, long at, int length) {
        int slot = output.free();
        MemorySegment.copy(memory, at, output.bytes, output.at(slot), length);
        output.numbers[slot] = output.sent++;
        output.lengths[slot] = length;
        output.repeated[slot] = seed.nextInt(PERCENT) < way.twicePercent;
        output.arrivesNs[slot] = arrivalNs(nowNs) + (seed.nextInt(PERCENT) < way.lostPercent ? way.againNs : 0);
        output.onTheWay++;
    }

    private long arrivalNs(long nowNs) {
        return nowNs + way.delayNs + (way.jitterNs == 0 ? 0 : seed.nextInt(way.jitterNs));
    }

    @Override
    public int receive(long nowNs, int max, MessageTaker taker) {
        int offered = 0;
        for (int slot = input.first(); offered < max && slot >= 0 && input.arrivesNs[slot] <= nowNs; offered++) {
            boolean taken = taker.onMessage(input.numbers[slot], input.bytes, input.at(slot), input.lengths[slot]);
            if (closed) {
                return offered;
            }
            if (!taken) {
                input.arrivesNs[slot] = nowNs + way.againNs;
            } else if (input.repeated[slot]) {
                input.repeated[slot] = false;
                input.arrivesNs[slot] = arrivalNs(nowNs);
            } else {
                input.arrivesNs[slot] = FREE;
                input.onTheWay--;
            }
            slot = input.first();
        }
        return offered;
    }

    @Override
    public boolean isEnded() {
        return closed || (input.ended && input.onTheWay == 0);
    }

    @Override
    public void endOutput() {
        output.ended = true;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            output.ended = true;
            Arrays.fill(input.arrivesNs, FREE);
            input.onTheWay = 0;
        }
    }

    @Override
    public long nextNs() {
        int slot = input.first();
        return slot < 0 ? Long.MAX_VALUE : input.arrivesNs[slot];
    }
}
