package org.verbena.memory.machine;

import java.util.List;
import java.util.function.Supplier;

/** Decides on allocations of wired memory where pages that come and go use the same frames. Any thread. */
public interface FrameClaimant {
    /**
     * Frees frames and takes them.
     *
     * @param frames number of frames
     * @param take takes them; called when they are free
     * @throws IllegalStateException if they cannot be freed
     */
    List<FrameRun> claim(int frames, Supplier<List<FrameRun>> take);

    /** Called after wired frames have been given back. */
    void onGivenBack();
}
