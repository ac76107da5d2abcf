package org.verbena.memory.protection;

import java.util.Set;
import org.verbena.Right;
import org.verbena.Touches;

/**
 * A request to bind a window.
 *
 * @param newKey the key of the window afterwards: the same index, an instance that the consumer chooses; for a type 1 window
 *     another instance than before
 * @param regionKey the region of which the window shows a part; ignored when the length is zero
 * @param address where the part starts, an address of the region; the window has the same addresses
 * @param length bytes of the part; zero unbinds a type 1 window
 * @param rights the rights of peers as a {@linkplain Right#mask mask}; remote rights only
 * @param touches messages of peers for which the binding is valid
 */
public record Binding(int newKey, int regionKey, long address, long length, int rights, Touches touches) {
    /** With a set of rights. */
    public Binding(int newKey, int regionKey, long address, long length, Set<Right> rights, Touches touches) {
        this(newKey, regionKey, address, length, Right.mask(rights), touches);
    }

    /** Valid for many messages. */
    public Binding(int newKey, int regionKey, long address, long length, Set<Right> rights) {
        this(newKey, regionKey, address, length, rights, Touches.MANY);
    }

    /** Unbinds a type 1 window. */
    public static Binding nothing(int newKey) {
        return new Binding(newKey, 0, 0, 0, 0, Touches.MANY);
    }
}
