package org.verbena.manage.agent;

import org.jspecify.annotations.Nullable;

/** The counters of one port. They only count up; the agent shows them since their last reset, as wide as an attribute has them, saturated. */
public final class PortCounters {
    // Fields, not methods: the data path adds to several of them for each packet.
    public long symbolErrors;
    public long linkErrorRecoveries;
    public long linkDowned;
    public long receiveErrors;
    public long receiveRemotePhysicalErrors;
    public long receiveSwitchRelayErrors;
    public long transmitDiscards;
    public long transmitConstraintErrors;
    public long receiveConstraintErrors;
    public long localLinkIntegrityErrors;
    public long excessiveBufferOverruns;
    public long lane15Dropped;
    /** In words of four bytes. */
    public long transmittedWords;
    /** In words of four bytes. */
    public long receivedWords;

    public long transmittedPackets;
    public long receivedPackets;
    public long transmittedMulticasts;
    public long receivedMulticasts;
    /** Ticks in which a packet waited for credits or for its turn. */
    public long transmitWait;

    /** The values at the last reset by PortCounters; null: there was none. */
    long @Nullable [] base;
    /** The values at the last reset by PortCountersExtended; null: there was none. */
    long @Nullable [] extendedBase;

    /** Counters that stand at 0. */
    public PortCounters() {}
}
