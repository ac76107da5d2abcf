package org.verbena.memory.protection;

import java.util.EnumSet;
import java.util.Set;
import org.verbena.Right;
import org.verbena.time.Seed;

/** What the tests of this package start from. */
public final class Tables {
    public static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private Tables() {}

    public static ProtectionTable table() {
        return new ProtectionTable(4096, new Seed(42));
    }
}
