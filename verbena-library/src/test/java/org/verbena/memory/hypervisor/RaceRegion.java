package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.Region;

/** A registration in a race, and what may be done under its key. */
final class RaceRegion {
    final RaceMemory memory;
    final Region region;
    final int key;
    final @Nullable CurrentIo io;
    /** Copies under way, from the first byte to the last. */
    int copying;
    /** Operations that were counted and are under way. */
    int operations;
    /** The consumer has said at least once that nothing comes of what it has counted. */
    boolean promised;
    /** Its owner deregisters it, or has deregistered it. */
    boolean closing;
    /** Its owner has deregistered it: no copy is inside and none gets in. */
    boolean closed;

    RaceRegion(RaceMemory memory, Region region, CurrentIo.@Nullable Mode mode) {
        this.memory = memory;
        this.region = region;
        this.key = region.key();
        this.io = mode == null ? null : region.currentIo();
    }

    CurrentIo io() {
        return Objects.requireNonNull(io);
    }

    boolean isClosing() {
        return closing || memory.closing;
    }

    void beginCopy() {
        assertFalse(closed, "a copy under a key that is no more");
        copying++;
    }

    void endCopy() {
        copying--;
    }

    void onClosed() {
        assertEquals(0, copying, "deregistered under a copy");
        closed = true;
    }

    /** A swap-out has just ended well. */
    void onOut() {
        assertFalse(region.isValid(), "swapped out, and valid");
        assertEquals(0, copying, "swapped out under a copy");
        assertTrue(operations == 0 || promised || isClosing(), "swapped out under an operation");
    }

    /** @param wasClosed whether it was deregistered before the access began */
    void check(Verdict verdict, boolean wasClosed, boolean counted) {
        switch (verdict) {
            case GRANTED, NOT_RESIDENT, PAGE_LOST -> assertFalse(wasClosed, "granted after deregistration");
            case NO_ENTRY, WRONG_INSTANCE, INVALID, BACKING_CLOSED ->
                assertTrue(isClosing(), () -> verdict + " under a valid key");
            case QUIESCED -> {
                assertTrue(io != null, "quiesced without consent");
                assertTrue(!counted || promised || isClosing(), "quiesced under an operation");
            }
            default -> throw new AssertionError(verdict + " found, nothing of the kind expected");
        }
    }
}
