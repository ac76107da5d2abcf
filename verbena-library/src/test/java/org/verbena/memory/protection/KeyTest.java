package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.memory.Key;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Right;

final class KeyTest {
    @Test
    void aKeyIsIndexAndInstance() {
        int key = Key.of(0xABCDEF, 0x42);
        assertEquals(0xABCDEF42, key);
        assertEquals(0xABCDEF, Key.index(key));
        assertEquals(0x42, Key.instance(key));
        assertEquals("0xabcdef42", Key.toString(key));
    }

    @Test
    void theInstanceAfterTheLastIsTheFirstAndTheIndexStays() {
        assertEquals(Key.of(7, 0), Key.next(Key.of(7, 255)));
        assertEquals(Key.of(Key.INDEX_LIMIT - 1, 0), Key.next(-1));
    }

    @Test
    void rightsSurviveTheirMask() {
        for (Right right : Right.values()) {
            assertEquals(Set.of(right), Right.ofMask(right.mask()));
        }
        Set<Right> all = EnumSet.allOf(Right.class);
        assertEquals(all, Right.ofMask(Right.mask(all)));
        assertEquals(all, Right.ofMask(-1));
    }

    @Test
    void anAccessorIsEitherLocalOrRemote() {
        ProtectionDomain domain = Tables.table().createDomain();
        assertThrows(IllegalArgumentException.class, () -> Accessor.local(domain, 1, Right.REMOTE_READ));
        assertThrows(IllegalArgumentException.class, () -> Accessor.remote(domain, 1, Right.LOCAL_WRITE));
        assertThrows(IllegalArgumentException.class, () -> Accessor.remote(domain, 1, Right.BIND_WINDOW));
    }
}
