package org.verbena.verbs;

import java.util.List;
import org.verbena.Gid;
import org.verbena.Mtu;
import org.verbena.link.Endpoint;

/**
 * The port of an adapter. Immutable.
 *
 * @param gids its identifiers, one for each address of its link, in the link's order
 * @param partitions its partition keys: those of the adapter's options, or those that the management of its subnet has given, as they were when
 *     the adapter was asked
 * @param mtu the largest MTU its link carries; a datagram is at most as long
 * @param endpoints addresses and UDP ports that it receives at, in the order of {@code gids}
 */
public record Port(List<Gid> gids, List<Integer> partitions, Mtu mtu, List<Endpoint> endpoints) {
    /** Refuses a partition key that is not in the table: no packet with it could be for this port. */
    void requirePartition(int pkey) {
        if (!partitions.contains(pkey)) {
            throw new IllegalArgumentException(
                    "partition key 0x" + Integer.toHexString(pkey) + " is not in the port's table " + text(partitions));
        }
    }

    /** The same port, which is now a member of these partitions. */
    Port withPartitions(List<Integer> pkeys) {
        return new Port(gids, pkeys, mtu, endpoints);
    }

    private static List<String> text(List<Integer> pkeys) {
        return pkeys.stream().map(key -> "0x" + Integer.toHexString(key)).toList();
    }
}
