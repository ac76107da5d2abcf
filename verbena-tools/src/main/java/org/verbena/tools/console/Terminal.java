package org.verbena.tools.console;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Whether a person looks at what is written. */
public final class Terminal {
    private static final int STANDARD_ERROR = 2;

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
            // No native access: nobody is disturbed by progress that is not shown.
        }
        return false;
    }
}
