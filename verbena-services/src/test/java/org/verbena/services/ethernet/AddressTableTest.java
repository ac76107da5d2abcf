package org.verbena.services.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class AddressTableTest {
    private static final int ENTRIES = 100;

    @Test
    void itHasWhatAMapHasAfterRandomChanges() {
        Seed seed = new Seed(17);
        AddressTable table = new AddressTable(ENTRIES, seed.nextLong());
        Map<Long, Integer> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            long key = AddressTable.key(1 + seed.nextInt(60), seed.nextInt(3));
            int slot = table.find(key);
            assertEquals(model.containsKey(key), slot >= 0);
            if (slot >= 0) {
                assertEquals(model.get(key), table.port(slot));
                table.remove(slot);
                model.remove(key);
            } else if (model.size() < ENTRIES) {
                int port = seed.nextInt(5);
                table.add(key, port, i);
                model.put(key, port);
            }
            if (seed.chance(0.001)) {
                int port = seed.nextInt(5);
                table.removePort(port);
                model.values().removeIf(value -> value == port);
            }
            assertEquals(model.size(), table.size());
        }
        assertTrue(model.keySet().stream().allMatch(key -> table.find(key) >= 0));
    }

    @Test
    void itFindsEveryOldEntryAndNoOther() {
        AddressTable table = new AddressTable(2000, 12345);
        for (int i = 1; i <= 2000; i++) {
            table.add(AddressTable.key(i, 0), 1, i);
        }
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            for (int slot = table.oldEntry(501); slot >= 0; slot = table.oldEntry(501)) {
                found.add(table.timeNs(slot));
                table.remove(slot);
            }
        }
        assertEquals(500, found.size());
        assertTrue(found.stream().allMatch(time -> time <= 500));
    }
}
