package org.verbena.tools.memory;

import java.util.EnumMap;
import java.util.Map;
import org.verbena.memory.PageState;
import org.verbena.memory.Residency;
import org.verbena.tools.console.Figures;

/** Memory as a line of characters, each for as many pages as the line needs to be short enough. */
final class ResidencyLine {
    /** The legend of the characters. */
    static final String LEGEND = "_ zero  . in the store  : loading  o in memory  # changed  P pinned  ! lost";

    private ResidencyLine() {}

    static char mark(PageState state) {
        return switch (state) {
            case ZERO -> '_';
            case ABSENT -> '.';
            case LOADING -> ':';
            case PRESENT -> 'o';
            case DIRTY -> '#';
            case PINNED -> 'P';
            case LOST -> '!';
        };
    }

    /** Each character shows the state of most of its pages. */
    static String of(Residency residency, int width) {
        int length = (int) Math.min(width, residency.pages());
        StringBuilder line = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            long first = residency.pages() * i / length;
            long end = residency.pages() * (i + 1) / length;
            line.append(mark(most(residency, first, end)));
        }
        return line.toString();
    }

    private static PageState most(Residency residency, long first, long end) {
        Map<PageState, Long> counts = new EnumMap<>(PageState.class);
        PageState best = residency.state(first);
        for (long page = first; page < end; page++) {
            PageState state = residency.state(page);
            long count = counts.merge(state, 1L, Long::sum);
            best = count > counts.getOrDefault(best, 0L) ? state : best;
        }
        return best;
    }

    /** Counts of all states there are, for people. */
    static String counts(Residency residency) {
        StringBuilder text = new StringBuilder(Figures.format("%,d pages", residency.pages()));
        for (PageState state : PageState.values()) {
            if (residency.count(state) > 0) {
                text.append(Figures.format(", %s %,d", mark(state), residency.count(state)));
            }
        }
        return text.toString();
    }
}
