package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.FixedKeys;
import org.verbena.memory.protection.ProtectionTable;

/**
 * The memory of the captured side that is replaced: regions with the keys and addresses of the capture, so that no byte of it has to be changed. A key
 * that the other side takes back is that of a reserved region, which a request of the send queue registers.
 */
final class GrantedRegions {
    /** Of a region that no message uses. */
    private static final Extent UNUSED = new Extent(4096, 8192);

    private final ProtectionTable table;
    private final FixedKeys keys;
    private final ProtectionDomain domain;
    private final MachineMemory machine = new MachineMemory(64 << 20);
    private final Map<Integer, Extent> extents = new HashMap<>();
    private final Set<Integer> takenBack = new HashSet<>();
    private final Map<Integer, Place> places = new HashMap<>();

    private record Extent(long from, long to) {
        Extent with(Extent other) {
            boolean before = Long.compareUnsigned(from, other.from) < 0;
            boolean beyond = Long.compareUnsigned(to, other.to) > 0;
            return new Extent(before ? from : other.from, beyond ? to : other.to);
        }
    }

    private record Place(Region region, ManagedMemory memory) {
        void close() {
            region.close();
            memory.close();
        }
    }

    /** The state of a key before its next use. */
    enum Made {
        /** The region is there, or there will be none. */
        READY,
        /** The send queue has to register the region. */
        TO_BE_REGISTERED
    }

    GrantedRegions(ProtectionTable table, FixedKeys keys, ProtectionDomain domain) {
        this.table = table;
        this.keys = keys;
        this.domain = domain;
    }

    /** The other side was told of this memory. */
    void grant(int key, long address, long length, Set<Right> rights) {
        ManagedMemory memory = machine.allocate(length);
        keys.next(key);
        places.put(key, new Place(table.register(domain, memory, address, rights), memory));
    }

    /** A message will use this memory. */
    void expect(int key, long address, long length) {
        if (!places.containsKey(key) && length > 0) {
            extents.merge(key, new Extent(address, address + length), Extent::with);
        }
    }

    /** A message will take this key back. */
    void expectEnd(int key) {
        takenBack.add(key);
    }

    /** Whether the other side knows the key by right. */
    boolean isKnown(int key) {
        return places.containsKey(key) || takenBack.contains(key);
    }

    /** Makes the region of a key that is used for the first time. An index has one region at a time. */
    Made make(int key) {
        boolean used = takenBack.contains(key) || extents.containsKey(key);
        if (places.containsKey(key) || !used) {
            return Made.READY;
        }
        Extent extent = extents.getOrDefault(key, UNUSED);
        places.entrySet().removeIf(entry -> {
            boolean same = MemoryKey.index(entry.getKey()) == MemoryKey.index(key);
            if (same) {
                entry.getValue().close();
            }
            return same;
        });
        ManagedMemory memory = machine.allocate(extent.to - extent.from);
        boolean reserved = takenBack.contains(key);
        Set<Right> all = EnumSet.allOf(Right.class);
        keys.next(reserved ? MemoryKey.of(MemoryKey.index(key), MemoryKey.instance(key) - 1) : key);
        Region region = reserved
                ? table.reserve(domain, memory, extent.from, all)
                : table.register(domain, memory, extent.from, all);
        places.put(key, new Place(region, memory));
        return reserved ? Made.TO_BE_REGISTERED : Made.READY;
    }

    /** The consumer puts these bytes there. */
    void fill(int key, long address, MemorySegment data) {
        Place place = places.get(key);
        if (place != null) {
            place.memory.write(address - place.region.address(), copy(data));
        }
    }

    /** Compares the memory with data that were placed there. */
    void holds(int key, long address, MemorySegment data) {
        Place place = places.get(key);
        if (place != null) {
            MemorySegment found = Arena.ofAuto().allocate(data.byteSize());
            place.memory.read(address - place.region.address(), found);
            assertEquals(-1, found.mismatch(data), () -> "memory of key " + MemoryKey.toString(key));
        }
    }

    private static MemorySegment copy(MemorySegment data) {
        return Arena.ofAuto().allocate(data.byteSize()).copyFrom(data);
    }
}
