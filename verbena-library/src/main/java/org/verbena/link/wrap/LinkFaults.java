package org.verbena.link.wrap;

import org.verbena.link.LinkException;

/**
 * What a {@link LossyLink} does to packets of one direction, as probabilities per packet.
 *
 * @param drop the packet vanishes
 * @param duplicate the packet comes twice
 * @param reorder the packet comes after some that were behind it
 * @param corrupt one to three bits of the packet change
 */
public record LinkFaults(double drop, double duplicate, double reorder, double corrupt) {
    /** Nothing happens. */
    public static final LinkFaults NONE = new LinkFaults(0, 0, 0, 0);

    public LinkFaults {
        check("drop", drop);
        check("duplicate", duplicate);
        check("reorder", reorder);
        check("corrupt", corrupt);
    }

    /** Nothing but loss. */
    public static LinkFaults loss(double rate) {
        return new LinkFaults(rate, 0, 0, 0);
    }

    /** Every kind of fault at the same rate. */
    public static LinkFaults all(double rate) {
        return new LinkFaults(rate, rate, rate, rate);
    }

    private static void check(String name, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new LinkException(name + " rate " + rate + " found, 0 … 1 expected");
        }
    }
}
