package org.verbena.manage.agent;

/** How the agents of a node treat what ibsim leaves out. */
public enum Conduct {
    /** As the specification says. */
    STANDARD,
    /**
     * As ibsim 0.10 answers, byte for byte: a port ignores what management writes, apart from identifiers, GID prefix, LMC, states, number of
     * lanes and lifetime at the head of the queue.
     */
    IBSIM
}
