package org.verbena.bench.figures;

import java.time.LocalDate;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * How the numbers of a page were made.
 *
 * @param command that makes them again
 * @param rounds in which all measurements take turns
 * @param date of the measurement
 * @param machine on which they were made
 * @param otherLoad percent of the machine that other processes used meanwhile, if known
 */
public record Origin(String command, int rounds, LocalDate date, Machine machine, OptionalDouble otherLoad) {
    /** Date and machine, as a sentence after the command. */
    public String machineText() {
        return "on " + date + ": " + machine.processor() + ", " + machine.cores() + " cores, " + machine.system() + ", "
                + machine.java() + ".";
    }

    /** The beginning of the sentence on rounds. */
    public String roundsText() {
        return "Medians of " + rounds + (rounds == 1 ? " round" : " rounds");
    }

    /** A sentence on the other load, after a space; empty if it is not known. */
    public String otherLoadText() {
        return otherLoad.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        " Other processes used %.0f %% of the machine meanwhile.",
                        otherLoad.getAsDouble());
    }
}
