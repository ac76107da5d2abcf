package org.verbena.fabric.topology;

/**
 * The local identifiers that a port has before a subnet manager assigns others: the port keeps them from an earlier life of the fabric.
 *
 * @param lid the first
 * @param lmc the port has 2^lmc of them
 */
public record PortLids(int lid, int lmc) {
    private static final int LID_MAX = 0xffff;
    private static final int LMC_MAX = 7;

    /**
     * Checks the numbers.
     *
     * @throws TopologyException if one is out of range
     */
    public PortLids {
        if (lid < 0 || lid > LID_MAX) {
            throw new TopologyException("lid " + lid + " found, 0 … " + LID_MAX + " expected");
        }
        if (lmc < 0 || lmc > LMC_MAX) {
            throw new TopologyException("lmc " + lmc + " found, 0 … " + LMC_MAX + " expected");
        }
    }
}
