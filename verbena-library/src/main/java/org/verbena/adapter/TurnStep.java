package org.verbena.adapter;

/**
 * A step of a turn. An engine calls all its steps at one place in a loop. The compiler of the JVM then sees many classes there, puts none of them in the caller, and compiles each step on its own. As one piece they took
 * it more than a second, in which a new process ran slow code.
 */
@FunctionalInterface
interface TurnStep {
    /** Takes the step; how much was done. */
    int take(long timeNs);
}
