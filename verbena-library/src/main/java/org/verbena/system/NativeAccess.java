package org.verbena.system;

import java.lang.foreign.MemorySegment;

/** The permission to call native code, which the options of the JVM grant or deny to the module of this library. Any thread. */
public final class NativeAccess {
    private NativeAccess() {}

    /** Whether this library may call native code. Prints the JVM's warning as {@link #require} does. */
    public static boolean isGranted() {
        return Granted.YES;
    }

    /** Asked once. */
    private static final class Granted {
        static final boolean YES = ask();

        private static boolean ask() {
            try {
                require();
                return true;
            } catch (IllegalCallerException denied) {
                return false;
            }
        }
    }

    /**
     * Returns if this library may call native code. Where the options of the JVM neither grant nor deny it, the JVM prints its warning and
     * grants it.
     *
     * @throws IllegalCallerException if the JVM denies it; the message names the option that grants it
     */
    @SuppressWarnings("restricted") // the call is the question
    public static void require() {
        Module own = NativeAccess.class.getModule();
        if (own.isNativeAccessEnabled()) {
            return;
        }
        try {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
        } catch (IllegalCallerException denied) {
            throw new IllegalCallerException(
                    "Verbena may not call native code here: start java with --enable-native-access="
                            + (own.isNamed() ? own.getName() : "ALL-UNNAMED"),
                    denied);
        }
    }
}
