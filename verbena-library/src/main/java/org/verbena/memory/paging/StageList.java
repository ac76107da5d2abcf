package org.verbena.memory.paging;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The stages of a pager by number. The number of a removed stage is given again. Any thread adds and removes. */
final class StageList {
    private final int max;
    private volatile @Nullable Stage[] stages = new @Nullable Stage[16];

    StageList(int max) {
        this.max = max;
    }

    /** Gives a stage its number. Called before its first page gets a frame. */
    synchronized void add(Stage stage) {
        @Nullable Stage[] now = stages;
        int number = 0;
        while (number < now.length && now[number] != null) {
            number++;
        }
        if (number >= max) {
            throw new IllegalStateException(
                    "a pager has at most " + max + " memories at a time, and has that many now");
        }
        if (number == now.length) {
            now = Arrays.copyOf(now, 2 * number);
        }
        now[number] = stage;
        stage.number(number);
        stages = now;
    }

    synchronized void remove(Stage stage) {
        @Nullable Stage[] now = stages;
        assert now[stage.number()] == stage : "removed twice: " + stage;
        now[stage.number()] = null;
        stages = now;
    }

    Stage get(int number) {
        Stage stage = stages[number];
        assert stage != null : "a page of a stage that was removed: number " + number;
        return stage;
    }
}
