package org.verbena.connect.protocol;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiPredicate;
import org.verbena.link.Endpoint;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.time.TimerWheel;
import org.verbena.time.VirtualClock;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.MadMessage;

/** Two communication managers and an unreliable courier between them, in virtual time: no adapter, no queue pair. */
final class Courier {
    private static final long WAY_NS = 100_000;
    private static final long LATE_NS = 20_000_000;

    /** A message on its way. */
    private record Letter(long arrivalNs, long number, Office to, Endpoint from, MemorySegment mad)
            implements Comparable<Letter> {
        @Override
        public int compareTo(Letter other) {
            int order = Long.compare(arrivalNs, other.arrivalNs);
            return order != 0 ? order : Long.compare(number, other.number);
        }
    }

    /** One end. */
    final class Office implements Surroundings {
        final Endpoint address;
        final Conversations conversations;
        private final Seed chance;
        private final long guid;
        private final Map<Counter, Integer> counts = new EnumMap<>(Counter.class);

        Office(String address, Seed chance) {
            this.address = Endpoint.of(address, Endpoint.ROCE_PORT);
            this.chance = chance;
            this.guid = chance.nextLong();
            this.conversations = new Conversations(this);
        }

        @Override
        public void send(Endpoint to, MadMessage message, long transactionId) {
            if (lost.test(this, message)) {
                return;
            }
            MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
            message.writeMad(mad, 0, transactionId);
            Office office = to.equals(a.address) ? a : b;
            int copies = faults.drop() > 0 && dice.chance(faults.drop()) ? 0 : dice.chance(faults.duplicate()) ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                long way = dice.chance(faults.reorder()) ? LATE_NS + dice.nextInt((int) LATE_NS) : WAY_NS;
                letters.add(new Letter(clock.nowNs() + way, numbers++, office, address, mad));
            }
        }

        @Override
        public void schedule(WheelTimer timer, long deadlineNs) {
            wheel.schedule(timer, deadlineNs);
        }

        @Override
        public void cancel(WheelTimer timer) {
            wheel.cancel(timer);
        }

        @Override
        public long nowNs() {
            return clock.nowNs();
        }

        @Override
        public int random() {
            return chance.nextInt();
        }

        @Override
        public long guid() {
            return guid;
        }

        @Override
        public void count(Counter counter) {
            counts.merge(counter, 1, Integer::sum);
        }

        int counted(Counter counter) {
            return counts.getOrDefault(counter, 0);
        }
    }

    final VirtualClock clock = new VirtualClock(1_000_000);
    final TimerWheel wheel = new TimerWheel(1_000_000);
    final Office a;
    final Office b;
    /** Whether a message of an end gets lost, whatever the faults. */
    BiPredicate<Office, MadMessage> lost = (_, _) -> false;

    private final Seed dice;
    private final LinkFaults faults;
    private final PriorityQueue<Letter> letters = new PriorityQueue<>();
    private long numbers;

    Courier(Seed seed, LinkFaults faults) {
        this.faults = faults;
        this.dice = seed.fork("courier");
        a = new Office("10.0.0.1", seed.fork("a"));
        b = new Office("10.0.0.2", seed.fork("b"));
    }

    /** The next thing happens; false if nothing ever will. */
    boolean step() {
        Letter next = letters.peek();
        long timerNs = wheel.nextDeadlineNs();
        if (next == null && timerNs == Long.MAX_VALUE) {
            return false;
        }
        if (next != null && next.arrivalNs() <= timerNs) {
            letters.remove();
            clock.advanceTo(next.arrivalNs());
            next.to().conversations.receive(next.from(), next.mad());
        } else {
            clock.advanceTo(timerNs);
        }
        wheel.expire(clock.nowNs());
        return true;
    }

    /** What is on its way now gets lost. */
    void dropAll() {
        letters.clear();
    }

    boolean idle() {
        return letters.isEmpty() && wheel.nextDeadlineNs() == Long.MAX_VALUE;
    }
}
