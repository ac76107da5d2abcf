package org.verbena.adapter.iwarp.mpa;

import java.util.Set;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;
import org.verbena.wire.iwarp.DataAnnouncement;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;

/**
 * What one side brings to the negotiation of a connection.
 *
 * @param revision of MPA that an initiator asks for, 1 or 2; a responder answers with the initiator's
 * @param markers whether this side wants markers in what it receives
 * @param crc whether this side wants check sums; they are used if one side wants them
 * @param ird read requests that this side takes at once
 * @param ord read requests that this side makes at once
 * @param ready the ready-to-receive messages that this side knows; none: the peer-to-peer model is not asked for
 * @param privateData for the peer's consumer; with the depths of revision 2 at most {@link MpaHeader#PRIVATE_DATA_MAX} bytes
 */
public record MpaOffer(
        int revision,
        boolean markers,
        boolean crc,
        int ird,
        int ord,
        Set<ReadyMessage> ready,
        PrivateData privateData) {
    /** An offer as Linux siw makes it, but with check sums: revision 2, no markers, client and server. */
    public static MpaOffer of(int ird, int ord, PrivateData privateData) {
        return new MpaOffer(MpaHeader.REVISION_2, false, true, ird, ord, Set.of(), privateData);
    }

    public MpaOffer {
        ready = Set.copyOf(ready);
        expect("revision", revision, MpaHeader.REVISION_1, MpaHeader.REVISION_2);
        expect("ird", ird, 0, MpaDepths.DEPTH_MAX);
        expect("ord", ord, 0, MpaDepths.DEPTH_MAX);
        expect("bytes of private data", privateData.length(), 0, privateDataMax(revision));
        if (revision == MpaHeader.REVISION_1 && !ready.isEmpty()) {
            throw new IllegalArgumentException("revision 1 with ready messages " + ready + " found, none expected");
        }
    }

    /** The same offer, which announces data at connect in front of the private data. */
    public MpaOffer announcing(PrivateData data) {
        PrivateData announced = new DataAnnouncement(data.length()).before(privateData);
        return new MpaOffer(revision, markers, crc, ird, ord, ready, announced);
    }

    /** Bytes of private data in a frame of a revision at most. */
    public static int privateDataMax(int revision) {
        return MpaHeader.PRIVATE_DATA_MAX - (revision == MpaHeader.REVISION_2 ? MpaDepths.LENGTH : 0);
    }

    private static void expect(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + " found, " + min + " … " + max + " expected");
        }
    }
}
