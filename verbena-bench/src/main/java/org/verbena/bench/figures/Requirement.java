package org.verbena.bench.figures;

import java.util.Locale;

/** The least or most that a figure must reach: a number, or a multiple of the value of a peer in the same run. */
sealed interface Requirement {
    /** Whether a larger value is the better one. */
    boolean largerIsBetter();

    record AtMost(double limit) implements Requirement {
        @Override
        public boolean largerIsBetter() {
            return false;
        }
    }

    /** Zero, but for the residue that the virtual machine itself causes. */
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

    record AtMostPeer(double times, Subject peer) implements Requirement {
        AtMostPeer(Subject peer) {
            this(1, peer);
        }

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

    /** No requirement: the value only has to be measured. */
    record Told(boolean largerIsBetter) implements Requirement {}

    /** No requirement: the value of a peer stands beside ours. */
    record Beside(Subject peer, boolean largerIsBetter) implements Requirement {}

    /** Whether a value can miss it. */
    default boolean isTarget() {
        return !(this instanceof Beside || this instanceof Told);
    }

    /** The target in words. */
    default String text() {
        return switch (this) {
            case AtMost(double limit) -> "≤ " + plain(limit);
            case Nothing _ -> "0";
            case Told _ -> "none";
            case AtLeast(double limit) -> "≥ " + plain(limit);
            case Beside(Subject peer, boolean _) -> "beside " + peer.name();
            case AtMostPeer(double times, Subject peer) -> "≤ " + multiple(times) + peer.name();
            case AtLeastPeer(double times, Subject peer) -> "≥ " + multiple(times) + peer.name();
        };
    }

    private static String multiple(double times) {
        return times == 1 ? "" : plain(times) + " × ";
    }

    private static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%s", value);
    }
}
