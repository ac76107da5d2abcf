package org.verbena.memory.hypervisor;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.ManagedMemory;

/** What a guest's driver does: has its own table and its own swap, and fewer physical pages than its memory has. */
final class SwappingDriver implements GuestDriver {
    private static final int PAGE = GuestStand.PAGE;

    private record Resident(GuestTable table, long page, long frame) {}

    private final Map<Long, byte[]> swapped = new HashMap<>();
    private final ArrayDeque<Resident> residents = new ArrayDeque<>();
    private final ArrayDeque<Long> free = new ArrayDeque<>();
    private @Nullable Domain guest;
    int swappedIn;
    int unchanged;

    void drive(Domain domain, long frames) {
        guest = domain;
        for (long frame = 0; frame < frames; frame++) {
            free.add(frame);
        }
    }

    @Override
    public void onFault(GuestFault fault) {
        if (fault.table().guestPhysicalPage(fault.page()).isPresent()) {
            fault.map(fault.table().guestPhysicalPage(fault.page()).getAsLong());
            return;
        }
        long frame = frame();
        byte[] content = swapped.getOrDefault(fault.page(), new byte[PAGE]);
        swappedIn++;
        physical().write(frame * PAGE, MemorySegment.ofArray(content));
        residents.add(new Resident(fault.table(), fault.page(), frame));
        fault.map(frame);
    }

    private ManagedMemory physical() {
        Domain domain = guest;
        if (domain == null) {
            throw new AssertionError("drives nobody");
        }
        return domain.physical();
    }

    private long frame() {
        while (free.isEmpty()) {
            Resident oldest = residents.removeFirst();
            if (oldest.table.takeReferenced(oldest.page)) {
                residents.add(oldest);
                continue;
            }
            switch (oldest.table.unmap(oldest.page)) {
                case PINNED -> residents.add(oldest);
                case UNCHANGED -> {
                    unchanged++;
                    free.add(oldest.frame);
                }
                case CHANGED -> {
                    byte[] content = new byte[PAGE];
                    physical().read(oldest.frame * PAGE, MemorySegment.ofArray(content));
                    swapped.put(oldest.page, content);
                    free.add(oldest.frame);
                }
                case NOT_MAPPED -> throw new AssertionError("unmapped by somebody else: " + oldest);
            }
        }
        return free.remove();
    }
}
