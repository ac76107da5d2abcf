package org.verbena.fabric;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.verbena.manage.agent.ManagedPort;

/**
 * A cycle of lanes, each of which waits for credits that only the next one can free.
 *
 * @param nowNs when it was found
 * @param waits the lanes in their order; the last waits for the first
 */
public record Deadlock(long nowNs, List<Wait> waits) {
    /**
     * A lane that waits.
     *
     * @param port the port whose packets cannot leave
     * @param lane their lane
     */
    public record Wait(ManagedPort port, int lane) {
        @Override
        public String toString() {
            return port + " lane " + lane;
        }
    }

    static Deadlock of(long nowNs, List<ManagedPort> ports, List<Integer> lanes) {
        return new Deadlock(
                nowNs,
                IntStream.range(0, ports.size())
                        .mapToObj(i -> new Wait(ports.get(i), lanes.get(i)))
                        .toList());
    }

    public Deadlock {
        waits = List.copyOf(waits);
    }

    @Override
    public String toString() {
        return "deadlock at " + nowNs + " ns: "
                + waits.stream().map(Wait::toString).collect(Collectors.joining(" waits for "))
                + " waits for the first";
    }
}
