package org.verbena.interleave;

import java.util.function.BooleanSupplier;

/** Somebody with a program of its own; a thread, if it were not for the seed. */
public abstract class Actor {
    private final Coroutine coroutine = new Coroutine(this::perform);
    final String name;
    final Copy copy = new Copy();
    /** Stands for the actor where code asks for its thread. Never started. */
    final Thread thread = Thread.ofPlatform().unstarted(() -> {});
    /** What it waits for, for people. */
    private String waitsFor = "";
    /** Its place among those who are ready; -1 if it waits. */
    int place = -1;

    protected Actor(String name) {
        this.name = name;
    }

    /** Its program; over when it returns. */
    protected abstract void perform();

    /** A copy between the memory under test and this actor's own, in place of the plain one. */
    protected void onCopy(Copy copy) {
        copy.run();
    }

    /** An atomic of the memory under test was done, just now. */
    protected void onAtomic() {}

    /** Lets the other actors run until a condition holds; the actor that makes it hold calls {@link #wake}. */
    protected final void await(String what, BooleanSupplier condition) {
        waitsFor = what;
        while (!condition.getAsBoolean()) {
            Interleaver.current().block(this);
        }
        waitsFor = "";
    }

    /** May be the next again. */
    public final void wake() {
        Interleaver.current().ready(this);
    }

    /** Others may go on here. */
    protected static void step() {
        Interleaver.current().point();
    }

    /** Lets the actors other than the current one run for some steps. */
    public static void sleep(int stepsMost) {
        Interleaver.current().sleep(stepsMost);
    }

    void goOn() {
        coroutine.run();
    }

    boolean isOver() {
        return coroutine.isDone();
    }

    @Override
    public String toString() {
        return name + (waitsFor.isEmpty() ? "" : " waits for " + waitsFor);
    }
}
