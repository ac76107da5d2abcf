package org.verbena.verbs;

import org.verbena.wire.ib.Bth;

/**
 * How a datagram queue pair behaves. Immutable; the {@code with} methods give changed copies.
 *
 * @param qkey that datagrams for it must carry; others are dropped and counted
 * @param pkey partition; must be in the port's table
 */
public record DatagramOptions(int qkey, int pkey) {
    public DatagramOptions {
        QueuePairOptions.require("pkey", pkey, 0, 0xffff);
    }

    /** In the default partition. */
    public static DatagramOptions of(int qkey) {
        return new DatagramOptions(qkey, Bth.DEFAULT_PKEY);
    }

    public DatagramOptions withPkey(int key) {
        return new DatagramOptions(qkey, key);
    }
}
