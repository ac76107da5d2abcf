package org.verbena.adapter.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.verbena.ReadyMessage;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;

/** What a captured side brought to the negotiation. */
public final class CapturedOffers {
    private CapturedOffers() {}

    /** The offer of a side, as its frame shows it. */
    public static MpaOffer of(CapturedUnits direction) {
        MpaHeader frame = direction.frame();
        if (!frame.enhanced()) {
            return new MpaOffer(
                    frame.revision(), frame.markers(), frame.crc(), 1, 1, Set.of(), direction.privateData());
        }
        MpaDepths depths =
                MpaDepths.read(MemorySegment.ofArray(direction.privateData().bytes()), 0);
        Set<ReadyMessage> ready = EnumSet.noneOf(ReadyMessage.class);
        if (depths.writeReady()) {
            ready.add(ReadyMessage.WRITE);
        }
        if (depths.readReady()) {
            ready.add(ReadyMessage.READ);
        }
        return new MpaOffer(
                frame.revision(),
                frame.markers(),
                frame.crc(),
                depths.ird(),
                depths.ord(),
                ready,
                direction.privateData().from(MpaDepths.LENGTH));
    }
}
