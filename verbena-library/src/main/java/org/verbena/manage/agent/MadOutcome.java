package org.verbena.manage.agent;

/** What an agent did with a datagram. */
public enum MadOutcome {
    /** The datagram is now the answer, to be sent back. */
    ANSWERED,
    /** The datagram has been dealt with; there is no answer. */
    DONE,
    /** The datagram is not for the agent, but perhaps for a program at the port. It is unchanged. */
    NOT_MINE
}
