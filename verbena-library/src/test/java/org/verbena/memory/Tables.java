package org.verbena.memory;

import java.util.EnumSet;
import java.util.Set;
import org.verbena.time.Seed;

/** What the tests of this package start from. */
final class Tables {
    static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private Tables() {}

    static ProtectionTable table() {
        return new ProtectionTable(4096, new Seed(42));
    }
}
