package org.verbena.adapter.iwarp.mpa;

import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;

/**
 * What two sides have agreed on.
 *
 * @param revision of MPA
 * @param sent units that this side sends
 * @param received units that this side receives
 * @param ird read requests that this side takes at once
 * @param ord read requests that this side makes at once
 * @param ready the message that the initiator sends first, and the responder waits for; null if there is none
 * @param privateData of the peer's consumer
 */
public record MpaAgreement(
        int revision,
        UnitFormat sent,
        UnitFormat received,
        int ird,
        int ord,
        @Nullable ReadyMessage ready,
        PrivateData privateData) {}
