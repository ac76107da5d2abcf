package org.verbena.tools.console;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Whether the output is a terminal, and its size. */
public final class Terminal {
    private static final int STANDARD_ERROR = 2;

    /** Asks Linux for rows and columns, two bytes each. */
    private static final long TIOCGWINSZ = 0x5413;

    private static final int COLUMNS = 80;
    private static final int ROWS = 24;

    private Terminal() {}

    /** Whether standard error, where progress goes, is a terminal. */
    public static boolean showsProgress() {
        return isTerminal(STANDARD_ERROR);
    }

    /** Asks the system; where it has no {@code isatty}, no. {@link System#console} knows nothing of standard error. */
    @SuppressWarnings("restricted") // one call of libc
    static boolean isTerminal(int descriptor) {
        try {
            Optional<MemorySegment> isatty =
                    Linker.nativeLinker().defaultLookup().find("isatty");
            if (isatty.isPresent()) {
                var type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
                return (int) Linker.nativeLinker()
                                .downcallHandle(isatty.get(), type)
                                .invokeExact(descriptor)
                        == 1;
            }
        } catch (Throwable unusable) {
            // Without native access progress is not shown.
        }
        return false;
    }

    /** Characters in a line of the terminal at standard error; 80 where there is none. */
    public static int columns() {
        int found = showsProgress() ? askSize(2) : 0;
        return found >= 20 ? found : COLUMNS;
    }

    /** Lines of the terminal at standard error; 24 where there is none. */
    public static int rows() {
        int found = showsProgress() ? askSize(0) : 0;
        return found >= 3 ? found : ROWS;
    }

    /** Rows are at offset 0, columns at offset 2. */
    @SuppressWarnings("restricted") // one call of libc
    private static int askSize(long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(8, 8);
            var type = FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
            MemorySegment ioctl =
                    Linker.nativeLinker().defaultLookup().find("ioctl").orElseThrow();
            int failed = (int) Linker.nativeLinker()
                    .downcallHandle(ioctl, type, Linker.Option.firstVariadicArg(2))
                    .invokeExact(STANDARD_ERROR, TIOCGWINSZ, size);
            return failed == 0 ? Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, offset)) : 0;
        } catch (Throwable unusable) {
            return 0;
        }
    }
}
