package org.verbena.tools.perf;

import java.util.Locale;
import org.verbena.tools.console.ByteSize;
import org.verbena.tools.console.Figures;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The memory of the messages.
 *
 * @param kind foreign, wired or paged
 * @param machine bytes of machine memory for paged memory; 0: enough for all of it
 */
public record MemoryChoice(Kind kind, long machine) {
    /** Kinds of memory. */
    public enum Kind {
        /** The consumer's own. */
        FOREIGN,
        /** Verbena's, each page where it is. */
        WIRED,
        /** Verbena's, pages come and go. */
        PAGED
    }

    /** The consumer's own. */
    public static final MemoryChoice FOREIGN = new MemoryChoice(Kind.FOREIGN, 0);

    /** The name on the command line. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + (machine == 0 ? "" : ", " + Figures.size(machine));
    }

    /** Reads {@code foreign}, {@code wired}, {@code paged}, {@code paged:SIZE}. */
    static final class Converter implements ITypeConverter<MemoryChoice> {
        private static final String SIZED = "paged:";

        @Override
        public MemoryChoice convert(String text) {
            String name = text.strip().toLowerCase(Locale.ROOT);
            if (name.startsWith(SIZED)) {
                long machine = new ByteSize().convert(name.substring(SIZED.length()));
                if (machine == 0) {
                    throw new TypeConversionException(
                            "'" + text
                                    + "' leaves no machine memory; expected paged:SIZE such as paged:64MiB, or paged: enough for all");
                }
                return new MemoryChoice(Kind.PAGED, machine);
            }
            for (Kind kind : Kind.values()) {
                if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return new MemoryChoice(kind, 0);
                }
            }
            throw new TypeConversionException(
                    "'" + text + "' is no memory; expected foreign, wired, paged or paged:SIZE such as paged:64MiB");
        }
    }
}
