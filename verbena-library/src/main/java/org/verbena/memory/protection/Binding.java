package org.verbena.memory.protection;

import java.util.Set;
import org.verbena.memory.Right;

/**
 * What a bind request asks for.
 *
 * @param newKey the key the window has afterwards: same index; the consumer chooses the instance, of a type 1 window another one than before
 * @param regionKey the region of which the window shows a part; ignored when the length is zero
 * @param address where the part starts, an address of the region; the window has the same addresses
 * @param length bytes of the part; zero unbinds a type 1 window
 * @param rights what peers may do; remote rights only
 */
public record Binding(int newKey, int regionKey, long address, long length, Set<Right> rights) {
    public Binding {
        rights = Set.copyOf(rights);
    }

    /** Takes everything from a type 1 window. */
    public static Binding nothing(int newKey) {
        return new Binding(newKey, 0, 0, 0, Set.of());
    }
}
