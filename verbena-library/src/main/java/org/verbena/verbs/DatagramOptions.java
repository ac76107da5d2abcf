package org.verbena.verbs;

import org.verbena.wire.ib.Partitions;

/**
 * How a datagram queue pair behaves. Immutable; the {@code with} methods give changed copies.
 *
 * @param qkey key that datagrams for it carry; datagrams with another key are dropped and counted
 * @param pkey partition key, 16 bits, of the port's table
 */
public record DatagramOptions(int qkey, int pkey) {
    /**
     * Checks the partition key.
     *
     * @throws IllegalArgumentException if it has more than 16 bits
     */
    public DatagramOptions {
        QueuePairOptions.require("pkey", pkey, 0, 0xffff);
    }

    /** A queue pair with this Q_Key in the default partition. */
    public static DatagramOptions of(int qkey) {
        return new DatagramOptions(qkey, Partitions.DEFAULT_KEY);
    }

    /**
     * A copy in this partition. Whether the port has it is checked when the queue pair is activated.
     *
     * @throws IllegalArgumentException if the key has more than 16 bits
     */
    public DatagramOptions withPkey(int key) {
        return new DatagramOptions(qkey, key);
    }
}
