package org.verbena.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.link.Link;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;

/** One adapter of a world, with its domain, its completion queue and its memory. */
final class Node implements AutoCloseable {
    private static final int COMPLETIONS = 1 << 13;
    private static final long MACHINE_BYTES = 256L << 20;
    private static final int SCATTERED = 32;

    private final int index;
    private final Link link;
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final List<Zone> zones = new ArrayList<>();
    private final Seed addresses;
    private final NanoClock clock;
    private final List<Window> windows = new ArrayList<>();
    private List<ManagedMemory> scattered = List.of();
    private @Nullable MachineMemory machine;
    private @Nullable Overcommit overcommit;

    Node(int index, Link link, NanoClock clock, Seed seed) {
        this.index = index;
        this.link = link;
        this.clock = clock;
        this.addresses = seed.fork("addresses");
        this.adapter = Adapter.open(
                link,
                clock,
                AdapterOptions.DEFAULT
                        .withName("node" + index)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(seed.fork("adapter").value() | 1));
        this.domain = adapter.createProtectionDomain();
        this.completions = adapter.createCompletionQueue(COMPLETIONS);
    }

    int index() {
        return index;
    }

    Link link() {
        return link;
    }

    Adapter adapter() {
        return adapter;
    }

    ProtectionDomain domain() {
        return domain;
    }

    CompletionQueue completions() {
        return completions;
    }

    List<Zone> zones() {
        return zones;
    }

    /** Frames that managed memory of this node has; 0 without a machine. */
    int framesUsed() {
        if (overcommit != null) {
            return overcommit.framesLost();
        }
        return machine == null ? 0 : machine.framesUsed();
    }

    /** From now on zones come and go. */
    void usePagedMemory(Scenario.Paging kind, Seed seed) {
        overcommit = new Overcommit(clock, kind, seed);
    }

    /** Pages that its store could not read. */
    long errors() {
        return overcommit == null ? 0 : overcommit.errors();
    }

    @Nullable
    Overcommit overcommit() {
        return overcommit;
    }

    /** From now on zones are made of machine frames, which are anything but contiguous. */
    void useManagedMemory() {
        MachineMemory memory = new MachineMemory(MACHINE_BYTES);
        var holes = new ArrayList<ManagedMemory>();
        var kept = new ArrayList<ManagedMemory>();
        for (int i = 0; i < SCATTERED; i++) {
            (i % 2 == 0 ? holes : kept).add(memory.allocate(MachineMemory.FRAME * 5L));
        }
        holes.forEach(ManagedMemory::close);
        scattered = kept;
        machine = memory;
    }

    /** Some of the machine's memory, for the caller to close. */
    ManagedMemory allocate(long bytes) {
        return Objects.requireNonNull(machine, "no machine").allocate(bytes);
    }

    Zone zone(String name, long length, Set<Right> rights) {
        long whole = (length + 7) & ~7L;
        MachineMemory memory = machine;
        String full = "node " + index + "'s " + name;
        Overcommit more = overcommit;
        Zone zone;
        if (more != null) {
            zone = Zone.paged(this, full, whole, rights, more, address());
        } else {
            zone = memory == null
                    ? Zone.foreign(this, full, whole, rights)
                    : Zone.managed(this, full, whole, rights, memory, address());
        }
        zones.add(zone);
        return zone;
    }

    Window window(Window.Type type) {
        Window window = adapter.createWindow(domain, type);
        windows.add(window);
        return window;
    }

    /** Zero every other time: such a region is as good as any. */
    private long address() {
        return addresses.nextBoolean() ? 0 : addresses.nextLong() >>> 20 << 12;
    }

    /** Frees everything; what is left of the machine's frames is a leak. Idempotent. */
    @Override
    public void close() {
        adapter.close();
        windows.forEach(Window::close);
        zones.forEach(Zone::close);
        scattered.forEach(ManagedMemory::close);
        if (overcommit != null) {
            overcommit.closeGuests();
        }
    }

    /** Gives the machine's memory back, leaks and all. */
    void closeMachine() {
        if (machine != null && machine.framesUsed() == 0) {
            machine.close();
        }
        if (overcommit != null) {
            overcommit.close();
        }
    }
}
