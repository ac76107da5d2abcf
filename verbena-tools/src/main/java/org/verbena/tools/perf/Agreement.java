package org.verbena.tools.perf;

import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.tools.console.ToolException;

/** The values that both ends must agree on before they connect. */
final class Agreement {
    private Agreement() {}

    /**
     * The MTU of the connection: the plan's, or the largest that both links carry.
     *
     * @throws ToolException if a link does not carry the plan's
     */
    static Mtu mtu(PerfPlan plan, Mtu initiatorMax, Mtu targetMax) {
        Mtu most = initiatorMax.bytes() < targetMax.bytes() ? initiatorMax : targetMax;
        @Nullable Mtu wish = plan.mtu();
        if (wish != null && wish.bytes() > most.bytes()) {
            throw new ToolException("mtu " + wish.bytes() + " found, at most " + most.bytes()
                    + " expected: this end's link carries " + initiatorMax.bytes() + ", the other end's "
                    + targetMax.bytes());
        }
        return wish == null ? most : wish;
    }
}
