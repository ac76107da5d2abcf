package org.verbena.memory.machine;

/**
 * Neighbouring frames.
 *
 * @param firstFrame number of the first
 * @param frames how many
 */
public record FrameRun(int firstFrame, int frames) {}
