package org.verbena.fuzz;

import java.util.List;
import org.verbena.adapter.Engine;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.port.InfiniBandPort;
import org.verbena.adapter.pair.Carriers;
import org.verbena.link.Link;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.RingMemory;

/** An engine with an InfiniBand port on a link, put together without verbs. */
final class Machine {
    final Link link;
    final EngineParts parts;
    final Carriers carriers;
    final Engine engine;

    Machine(Link link, ProtectionTable memory) {
        this.link = link;
        this.parts = EngineParts.make(memory, (_, _) -> {}, 0, () -> {});
        var port = new InfiniBandPort(link, parts);
        this.carriers = new Carriers(List.of(port));
        this.engine = new Engine(parts, List.of(port), RingMemory.LOCAL);
    }
}
