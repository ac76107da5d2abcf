package org.verbena.tools.perf;

import java.util.Locale;
import org.verbena.tools.console.ByteSize;
import org.verbena.tools.console.Figures;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What kind of memory messages are in.
 *
 * @param kind whose it is and whether it stays
 * @param machine bytes of machine memory for paged memory; 0: enough for all of it
 */
public record MemoryChoice(Kind kind, long machine) {
    /** Whose memory it is and whether it stays where it is. */
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

    /** As it is typed. */
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
