package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.protection.QuiesceSearchTest.Cast;

/** One run of the quiesce protocol, step by step, and what must hold after each. */
final class QuiesceModel {
    /** Memory of the consumer: one model at a time is in use. */
    private static final MemorySegment MEMORY = Arena.global().allocate(8, 8);

    private final StateWord word = StateWord.valid();
    /** The word of the consumers if they are in another process, which calls no method of the library; else null. */
    private final @Nullable ConsumerWord shared;

    private final RegionIo io;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Runnable> wakers = new ArrayList<>();
    private final Hypervisor hypervisor;
    /** Whether the memory is in its frames: false as soon as other memory may have them. */
    private boolean memoryThere = true;

    private boolean closed;
    private int copies;
    /** Operations that really are under way, and those of which nothing will come. */
    private int operations;

    private boolean promised;

    QuiesceModel(Cast cast) {
        MEMORY.set(ValueLayout.JAVA_LONG, 0, 0);
        shared = cast.shared() ? ConsumerWord.in(MEMORY) : null;
        io = new RegionIo(CurrentIo.Mode.CONSUMER, word, shared);
        hypervisor = new Hypervisor(cast.quiesces(), cast.callsOff());
        actors.add(hypervisor);
        for (int i = 0; i < cast.consumers(); i++) {
            actors.add(new Consumer(cast.rounds()));
        }
        actors.add(new Engine(cast.rounds()));
        if (cast.promiser()) {
            actors.add(new Promiser());
        }
        if (cast.holder()) {
            actors.add(new Holder());
        }
        if (cast.peer()) {
            actors.add(new Peer());
        }
        actors.add(new Timer());
        if (cast.closer()) {
            actors.add(new Closer());
        }
    }

    private StateWord.Beginning beginOperation() {
        return shared == null ? word.beginOperation() : shared.begin();
    }

    /** Counts an operation out; whether the actor has to tell. In another process it does not: the hypervisor looks. */
    private boolean endOperation() {
        if (shared != null) {
            StateWord.Ending _ = shared.end();
            return false;
        }
        return word.endOperation() == StateWord.Ending.LAST;
    }

    private boolean isQuiescing() {
        return io.isQuiescing();
    }

    /** Whether the hypervisor would find the consumers' word quiet if it looked. */
    private boolean isQuietByItself() {
        long value = MEMORY.get(ValueLayout.JAVA_LONG, 0);
        return shared != null
                && (word.operations() == 0 || closed)
                && ((value & ConsumerWord.COUNT) == 0 || (value & ConsumerWord.QUIESCED) != 0 || closed);
    }

    /** An actor with a place in its program. */
    private abstract static class Actor {
        static final int END = -1;
        int at;
        int left;

        Actor(int left) {
            this.left = left;
        }

        /** How many ways there are to go on; 0 while it waits. */
        int choices() {
            return at == END ? 0 : 1;
        }

        abstract void step(int choice);

        void again(int from) {
            left--;
            at = left > 0 ? from : END;
        }

        @Override
        public String toString() {
            return at + "/" + left;
        }
    }

    /** Begins an operation, waits if it may not, and ends it. */
    private final class Consumer extends Actor {
        private boolean woken;
        private final Runnable waker = this::wake;

        Consumer(int rounds) {
            super(rounds);
            wakers.add(waker);
        }

        @Override
        int choices() {
            return at == 2 && !woken ? 0 : super.choices();
        }

        @Override
        void step(int choice) {
            switch (at) {
                case 0 -> at = begin();
                case 1 -> {
                    woken = false;
                    boolean waits = io.enlist(waker);
                    at = waits ? 6 : 0;
                }
                case 6 -> {
                    io.interest();
                    at = 2;
                }
                case 2 -> at = 0;
                case 3 -> {
                    operations--;
                    at = endOperation() ? 4 : 5;
                }
                case 4 -> {
                    io.tellIdle();
                    at = 5;
                }
                case 5 -> again(0);
                default -> throw new AssertionError(at);
            }
        }

        private void wake() {
            woken = true;
        }

        private int begin() {
            boolean may = word.isValid() && !isQuiescing();
            return switch (beginOperation()) {
                case BEGUN -> {
                    boolean late = closed && shared != null; // its word does not say so yet: its access is refused
                    assertTrue(late || (may && memoryThere), "an operation began in " + word);
                    operations++;
                    yield 3;
                }
                case QUIESCING -> {
                    assertTrue(isQuiescing());
                    yield 1;
                }
                case INVALID -> {
                    assertTrue(closed);
                    yield END;
                }
                case TOO_MANY -> throw new AssertionError(word);
            };
        }

        @Override
        public String toString() {
            return super.toString() + (woken ? "w" : "");
        }
    }

    /** Has a receive posted that may never be used, and says so when asked to be quiet. */
    private final class Promiser extends Actor {
        Promiser() {
            super(1);
        }

        @Override
        int choices() {
            return at == 1 ? 2 : super.choices();
        }

        @Override
        void step(int choice) {
            switch (at) {
                case 0 -> {
                    boolean begun = beginOperation() == StateWord.Beginning.BEGUN;
                    operations += begun ? 1 : 0;
                    at = begun ? 1 : END;
                }
                case 1 -> {
                    if (choice == 0) {
                        at = end();
                    } else {
                        promised = shared == null ? io.promise() : promiseInWord();
                        at = promised && shared == null ? 2 : 3;
                    }
                }
                case 2 -> {
                    io.tellIdle();
                    at = 3;
                }
                case 3 -> at = end();
                case 4 -> {
                    io.tellIdle();
                    at = END;
                }
                default -> throw new AssertionError(at);
            }
        }

        /** As the page says: only while quiesce is set. */
        private boolean promiseInWord() {
            long value = MEMORY.get(ValueLayout.JAVA_LONG, 0);
            boolean asked = (value & ConsumerWord.QUIESCE) != 0;
            MEMORY.set(ValueLayout.JAVA_LONG, 0, asked ? value | ConsumerWord.QUIESCED : value);
            return asked && word.isValid();
        }

        private int end() {
            operations--;
            return endOperation() ? 4 : END;
        }
    }

    /** Has an operation under way that only this actor ends, and waits for quiesce to end before it does. */
    private final class Holder extends Actor {
        private boolean woken;
        private final Runnable waker = this::wake;

        Holder() {
            super(1);
            wakers.add(waker);
        }

        @Override
        int choices() {
            return at == 3 && !woken ? 0 : super.choices();
        }

        @Override
        void step(int choice) {
            switch (at) {
                case 0 -> {
                    boolean begun = beginOperation() == StateWord.Beginning.BEGUN;
                    operations += begun ? 1 : 0;
                    at = begun ? 1 : END;
                }
                case 1 -> at = io.enlist(waker) ? 2 : 4;
                case 2 -> {
                    io.interest();
                    at = 3;
                }
                case 3 -> at = 4;
                case 4 -> {
                    operations--;
                    at = endOperation() ? 5 : END;
                }
                case 5 -> {
                    io.tellIdle();
                    at = END;
                }
                default -> throw new AssertionError(at);
            }
        }

        private void wake() {
            woken = true;
        }

        @Override
        public String toString() {
            return super.toString() + (woken ? "w" : "");
        }
    }

    /** Time passes: the grace of a quiesce ends at any moment. */
    private final class Timer extends Actor {
        Timer() {
            super(0);
        }

        @Override
        int choices() {
            return hypervisor.grace ? 1 : 0;
        }

        @Override
        void step(int choice) {
            hypervisor.grace = false;
        }
    }

    /** Copies a packet for a peer, which knows nothing of quiesce. */
    private final class Engine extends Actor {
        Engine(int rounds) {
            super(rounds + 1);
        }

        @Override
        void step(int choice) {
            if (at == 0) {
                boolean valid = word.isValid();
                boolean entered = word.enter();
                assertEquals(valid, entered, "an access in " + word);
                assertTrue(!entered || memoryThere, "an access to memory that is gone, in " + word);
                copies += entered ? 1 : 0;
                if (entered) {
                    at = 1;
                } else {
                    again(0);
                }
            } else {
                copies--;
                word.leave();
                again(0);
            }
        }
    }

    /** Has a message of two packets. It is counted as a whole or refused as a whole, unless the region is closed. */
    private final class Peer extends Actor {
        private static final int PACKETS = 2;
        private int packets;

        Peer() {
            super(1);
        }

        @Override
        void step(int choice) {
            switch (at) {
                case 0 -> {
                    boolean begun = word.beginMessage();
                    assertEquals(word.isValid(), begun, "a message in " + word);
                    operations += begun ? 1 : 0;
                    at = begun ? 1 : END;
                }
                case 1 -> {
                    boolean entered = word.enter();
                    assertTrue(entered || closed, "a message was cut in " + word);
                    copies += entered ? 1 : 0;
                    at = entered ? 2 : 3;
                }
                case 2 -> {
                    copies--;
                    word.leave();
                    packets++;
                    at = packets < PACKETS ? 1 : 3;
                }
                case 3 -> {
                    operations--;
                    at = word.endOperation() == StateWord.Ending.LAST ? 4 : END;
                }
                case 4 -> {
                    io.tellIdle();
                    at = END;
                }
                default -> throw new AssertionError(at);
            }
        }

        @Override
        public String toString() {
            return super.toString() + "p" + packets;
        }
    }

    /** Swaps out and in again, or loses patience. */
    private final class Hypervisor extends Actor {
        private static final int WAITS = 2;
        private final boolean callsOff;
        private boolean told;
        private boolean wanted;
        /** Interest does not call off yet. */
        private boolean grace;

        private List<Runnable> waiting = List.of();

        Hypervisor(int quiesces, boolean callsOff) {
            super(quiesces);
            this.callsOff = callsOff;
            io.onInterest(() -> wanted = true);
        }

        /** Brings the region back when interest was shown, or no actor is left that could show it. */
        private boolean bringsBack() {
            return wanted || closed || actors.stream().noneMatch(actor -> actor instanceof Consumer && actor.at != END);
        }

        /** An actor waits for the region that may have to end an operation under way. */
        private boolean isUnquiet() {
            return at == WAITS && wanted && !grace && io.operations() > 0 && word.isQuiescing();
        }

        private boolean looks() {
            return told || isQuietByItself();
        }

        @Override
        int choices() {
            return switch (at) {
                case WAITS -> (looks() ? 1 : 0) + (callsOff || isUnquiet() ? 1 : 0);
                case 3 -> word.inside() == 0 ? 1 : 0;
                case 4 -> bringsBack() ? 1 : 0;
                default -> super.choices();
            };
        }

        @Override
        void step(int choice) {
            switch (at) {
                case 0 -> {
                    told = false;
                    wanted = false;
                    promised = false;
                    grace = true;
                    at = io.requestQuiesce(() -> told = true) ? 1 : END;
                }
                case 1 -> at = io.clearValid() ? 3 : WAITS;
                case WAITS -> {
                    boolean looks = looks() && choice == 0;
                    assertTrue(looks || callsOff || !grace, "called off within the grace");
                    told = false;
                    at = looks ? (word.isQuiescing() ? 1 : END) : 5;
                }
                case 3 -> {
                    memoryThere = false;
                    at = 4;
                }
                case 4 -> {
                    memoryThere = !closed;
                    at = 5;
                }
                case 5 -> {
                    grace = false;
                    boolean resumed = io.resumeQuietly();
                    assertTrue(resumed || closed);
                    at = 6;
                }
                case 6 -> {
                    waiting = io.takeWaiting();
                    at = 7;
                }
                case 7 -> {
                    waiting.forEach(Runnable::run);
                    waiting = List.of();
                    again(0);
                }
                default -> throw new AssertionError(at);
            }
        }

        @Override
        public String toString() {
            return super.toString()
                    + (told ? "t" : "")
                    + (wanted ? "w" : "")
                    + (grace ? "g" : "")
                    + waiting.stream().map(wakers::indexOf).toList();
        }
    }

    /** Deregisters, at any moment. */
    private final class Closer extends Actor {
        Closer() {
            super(1);
        }

        @Override
        int choices() {
            return at == 1 && word.inside() > 0 ? 0 : super.choices();
        }

        @Override
        void step(int choice) {
            switch (at) {
                case 0 -> {
                    word.invalidate();
                    closed = true;
                    at = 1;
                }
                case 1 -> {
                    memoryThere = false;
                    at = 2;
                }
                case 2 -> {
                    if (shared != null) {
                        shared.close();
                    }
                    io.tellIdle();
                    at = 3;
                }
                case 3 -> {
                    io.takeWaiting().forEach(Runnable::run);
                    at = END;
                }
                default -> throw new AssertionError(at);
            }
        }
    }

    int actors() {
        return actors.size();
    }

    int choices(int actor) {
        return actors.get(actor).choices();
    }

    void step(int actor, int choice) {
        actors.get(actor).step(choice);
    }

    /** Whether the hypervisor has not been told of what it waits for: there is nothing left but to lose patience. */
    boolean onlyCallingOffHelps(int possible) {
        return possible == hypervisor.choices()
                && hypervisor.at == Hypervisor.WAITS
                && !hypervisor.looks()
                && !hypervisor.isUnquiet();
    }

    /** What holds in every state. */
    void check() {
        assertEquals(copies, word.inside(), "copies in " + word);
        if (shared == null || !closed) {
            assertEquals(operations, io.operations(), "operations in " + word);
        }
        if (!memoryThere) {
            assertFalse(word.isValid(), "valid without memory");
            assertEquals(0, copies, "memory gone under a copy");
            assertTrue(operations == 0 || promised || closed, "memory gone under an operation");
        }
        assertFalse(closed && word.isValid(), "valid after deregistration");
    }

    /** Checks the state when no actor can go on: all programs have ended, and the state is that of the beginning. */
    void checkEnd() {
        for (Actor actor : actors) {
            if (actor instanceof Timer) {
                continue;
            }
            assertEquals(Actor.END, actor.at, "somebody waits for ever: " + fingerprint());
        }
        assertEquals(closed ? Verdict.INVALID : Verdict.GRANTED, word.verdict());
        assertFalse(word.isQuiescing());
        assertEquals(closed ? StateWord.Beginning.INVALID : StateWord.Beginning.BEGUN, beginOperation());
    }

    String fingerprint() {
        long value = MEMORY.get(ValueLayout.JAVA_LONG, 0);
        return word + " " + (shared == null ? "" : Long.toHexString(value)) + word.isQuiescing() + promised
                + memoryThere + closed + " " + actors;
    }
}
