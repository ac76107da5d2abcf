package org.verbena.bench.figures;

import java.util.Locale;

/** What a figure must reach: a number, or a multiple of what a peer reaches in the same run. */
sealed interface Requirement {
    /** Whether a larger value is the better one. */
    boolean largerIsBetter();

    record AtMost(double limit) implements Requirement {
        @Override
        public boolean largerIsBetter() {
            return false;
        }
    }

    /** Nothing at all, but for what the virtual machine does now and then on its own account. */
    record Nothing(double residue) implements Requirement {
        @Override
        public boolean largerIsBetter() {
            return false;
        }
    }

    record AtLeast(double limit) implements Requirement {
        @Override
        public boolean largerIsBetter() {
            return true;
        }
    }

    record AtMostPeer(Subject peer) implements Requirement {
        @Override
        public boolean largerIsBetter() {
            return false;
        }
    }

    record AtLeastPeer(double times, Subject peer) implements Requirement {
        @Override
        public boolean largerIsBetter() {
            return true;
        }
    }

    /** The target in words. */
    default String text() {
        return switch (this) {
            case AtMost(double limit) -> "≤ " + plain(limit);
            case Nothing _ -> "0";
            case AtLeast(double limit) -> "≥ " + plain(limit);
            case AtMostPeer(Subject peer) -> "≤ " + peer.name();
            case AtLeastPeer(double times, Subject peer) ->
                "≥ " + (times == 1 ? "" : plain(times) + " × ") + peer.name();
        };
    }

    private static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%s", value);
    }
}
