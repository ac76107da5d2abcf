package org.verbena.replay;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.FixedKeys;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Reth;

/**
 * The memory that the peer of the replaced side was told of: with its keys and addresses, and with the contents that its
 * consumer must have put there. What the peer itself writes stays as the adapter places it.
 */
final class GrantedMemory {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private final Map<Integer, Extent> extents = new HashMap<>();
    private final Set<Integer> takenBack = new HashSet<>();
    private final Map<Integer, Place> places = new HashMap<>();
    private final ProtectionTable table;
    private final FixedKeys keys;
    private final ProtectionDomain domain;
    private final MachineMemory machine = new MachineMemory(64 << 20);

    private record Extent(long from, long to) {
        Extent with(long address, long length) {
            return new Extent(minUnsigned(from, address), -minUnsigned(-to, -(address + length)));
        }

        private static long minUnsigned(long one, long other) {
            return Long.compareUnsigned(one, other) < 0 ? one : other;
        }
    }

    /** One region and what the peer has written to it. */
    private record Place(Region region, ManagedMemory memory, BitSet written) {}

    /** What is to be posted before a key can be used; a plain region needs nothing. */
    record Made(int key, boolean toBeRegistered) {}

    GrantedMemory(ProtectionTable table, FixedKeys keys, ProtectionDomain domain) {
        this.table = table;
        this.keys = keys;
        this.domain = domain;
    }

    /** Looks at every request of the peer's to know what it uses. */
    void expect(List<CapturedPacket> requests) {
        for (CapturedPacket request : requests) {
            Reth reth = request.fields().reth();
            AtomicEth atomic = request.fields().atomic();
            if (reth != null && reth.length() > 0) {
                expect(reth.key(), reth.address(), reth.length());
            } else if (atomic != null) {
                expect(atomic.key(), atomic.address(), Long.BYTES);
            }
            Integer value = request.fields().value();
            if (value != null && request.opcode().carriesInvalidate()) {
                takenBack.add(value);
                extents.putIfAbsent(value, new Extent(4096, 8192));
            }
        }
    }

    private void expect(int key, long address, int length) {
        extents.merge(key, new Extent(address, address + length), (known, _) -> known.with(address, length));
    }

    /** Registers what a scenario grants, in place of what the peer asks for. */
    Region grant(Scenario.Grant grant) {
        extents.clear();
        ManagedMemory memory = machine.allocate(grant.length());
        keys.next(grant.key());
        Region region = table.register(domain, memory, grant.address(), grant.rights());
        places.put(grant.key(), new Place(region, memory, new BitSet()));
        return region;
    }

    /** A second key for a place: a window's. */
    void alias(int key, int of) {
        places.put(key, Objects.requireNonNull(places.get(of)));
    }

    /** Makes the region of a key that is about to be used for the first time; null if there is nothing to make. */
    @Nullable
    Made make(int key) {
        Extent extent = extents.remove(key);
        if (extent == null) {
            return null;
        }
        places.entrySet()
                .removeIf(entry -> MemoryKey.index(entry.getKey()) == MemoryKey.index(key) && closed(entry.getValue()));
        ManagedMemory memory = machine.allocate(extent.to - extent.from);
        boolean registered = takenBack.contains(key);
        keys.next(registered ? MemoryKey.of(MemoryKey.index(key), MemoryKey.instance(key) - 1) : key);
        Region region = registered
                ? table.reserve(domain, memory, extent.from, ALL)
                : table.register(domain, memory, extent.from, ALL);
        places.put(key, new Place(region, memory, new BitSet()));
        return new Made(key, registered);
    }

    private static boolean closed(Place place) {
        place.region.close();
        place.memory.close();
        return true;
    }

    /** The consumer put these bytes there some time ago, except where the peer has written since. */
    void fill(int key, long address, byte[] bytes) {
        Place place = places.get(key);
        if (place == null) {
            return;
        }
        int start = (int) (address - place.region.address());
        for (int i = 0; i < bytes.length; i++) {
            if (!place.written.get(start + i)) {
                place.memory.write(start + i, MemorySegment.ofArray(new byte[] {bytes[i]}));
            }
        }
    }

    void fill(int key, long address, long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
        fill(key, address, bytes);
    }

    /** The peer writes there. */
    void onWrite(int key, long address, int length) {
        Place place = places.get(key);
        if (place != null) {
            int start = (int) (address - place.region.address());
            place.written.set(start, start + length);
        }
    }
}
