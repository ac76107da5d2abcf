package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;

final class KeyTest {
    @Test
    void aKeyIsIndexAndInstance() {
        int key = MemoryKey.of(0xABCDEF, 0x42);
        assertEquals(0xABCDEF42, key);
        assertEquals(0xABCDEF, MemoryKey.index(key));
        assertEquals(0x42, MemoryKey.instance(key));
        assertEquals("0xabcdef42", MemoryKey.toString(key));
    }

    @Test
    void theInstanceAfterTheLastIsTheFirstAndTheIndexStays() {
        assertEquals(MemoryKey.of(7, 0), MemoryKey.next(MemoryKey.of(7, 255)));
        assertEquals(MemoryKey.of(MemoryKey.INDEX_LIMIT - 1, 0), MemoryKey.next(-1));
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
