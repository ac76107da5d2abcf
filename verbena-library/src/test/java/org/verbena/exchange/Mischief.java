package org.verbena.exchange;

import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.time.NanoClock;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Syndrome;

/** Does one thing to one packet between a client and a server: the first of its kind is lost, doubled, or overtaken. */
public final class Mischief {
    /** Which packet. */
    public enum Victim {
        NOBODY,
        /** The packet before the one that meets the fault. */
        PREDECESSOR,
        /** The request's packet that meets the fault, when it comes first. */
        REQUEST,
        /** The packet behind it. */
        FOLLOWER,
        /** The RNR NAK. */
        REFUSAL,
        /** The unsolicited acknowledgement. */
        INVITATION,
        /** All of them until the request comes again. */
        EVERY_INVITATION,
        /** The request's packet that met the fault, when it comes again. */
        RETRY,
        /** The acknowledgement or the data that says that all is done. */
        ANSWER
    }

    /** What becomes of it. */
    public enum Act {
        LOSE,
        DOUBLE,
        /** Comes once more a while later. */
        ECHO,
        /** Comes behind the next one of its direction. */
        DELAY
    }

    private static final long DELAY_MAX_NS = 300_000;
    private static final long ECHO_NS = 40_000;

    private final NanoClock clock;
    private final MeddlingLink[] links = new MeddlingLink[2];
    private Victim victim = Victim.NOBODY;
    private Act act = Act.LOSE;
    private int firstPsn;
    private int faultPsn;
    private int lastPsn;
    private int comings;
    private int refusals;
    private boolean followed;
    private int done;
    private boolean deaf;
    /** Number of the packet that was refused last, for a client that hears no invitation. */
    private int refusedPsn = -1;

    public Mischief(NanoClock clock) {
        this.clock = clock;
    }

    /** The client's link, or the server's. */
    public Link on(Link link, boolean client) {
        MeddlingLink made = new MeddlingLink(link, packet -> judge(packet, client), this::untilNs);
        links[client ? 0 : 1] = made;
        return made;
    }

    private long untilNs() {
        return clock.nowNs() + (act == Act.ECHO ? ECHO_NS : DELAY_MAX_NS);
    }

    /**
     * From now on, until the next call.
     *
     * @param client number of the client's first packet
     * @param fault the packet that meets the fault, counted from the client's first
     * @param last the packet whose answer is the last
     */
    public void plan(Victim whom, Act what, int client, int fault, int last) {
        victim = whom;
        act = what;
        firstPsn = client;
        faultPsn = fault;
        lastPsn = last;
        comings = 0;
        refusals = 0;
        followed = false;
        done = 0;
    }

    /** From now on no invitation reaches the client: it is a peer that waits its times out, as Linux does. */
    public void deafen() {
        deaf = true;
    }

    /** How many packets something was done to. */
    public int done() {
        return done;
    }

    /** Lets go what nothing overtook. */
    public void work() {
        for (MeddlingLink link : links) {
            link.release(clock.nowNs());
        }
    }

    public long nextNs() {
        return Math.min(links[0].nextNs(), links[1].nextNs());
    }

    private MeddlingLink.Fate judge(Packet packet, boolean fromClient) {
        if (deaf && !fromClient && isInvitation(packet)) {
            done++;
            return MeddlingLink.Fate.LOST;
        }
        Victim found = kindOf(packet, fromClient);
        boolean meant = found == victim || (victim == Victim.EVERY_INVITATION && found == Victim.INVITATION);
        if (!meant || found == Victim.NOBODY || (done > 0 && victim != Victim.EVERY_INVITATION)) {
            return MeddlingLink.Fate.PASSES;
        }
        done++;
        return switch (act) {
            case LOSE -> MeddlingLink.Fate.LOST;
            case DOUBLE -> MeddlingLink.Fate.DOUBLED;
            case ECHO -> MeddlingLink.Fate.ECHOED;
            case DELAY -> MeddlingLink.Fate.DELAYED;
        };
    }

    private boolean isInvitation(Packet packet) {
        if (Opcode.of(Bth.opcode(packet.segment(), packet.offset())) != Opcode.RC_ACKNOWLEDGE) {
            return false;
        }
        int psn = Bth.psn(packet.segment(), packet.offset());
        int syndrome =
                Aeth.syndrome(packet.segment(), packet.offset() + Opcode.RC_ACKNOWLEDGE.offsetOf(Extension.AETH));
        if (Syndrome.isRnrNak(syndrome)) {
            refusedPsn = psn;
        }
        return refusedPsn >= 0 && Syndrome.isAck(syndrome) && Psn.next(psn) == refusedPsn;
    }

    private Victim kindOf(Packet packet, boolean fromClient) {
        Opcode opcode = Opcode.of(Bth.opcode(packet.segment(), packet.offset()));
        if (opcode == null || opcode.isRequest() != fromClient) {
            return Victim.NOBODY;
        }
        int psn = Psn.distance(firstPsn, Bth.psn(packet.segment(), packet.offset()));
        if (fromClient) {
            return ofRequest(psn);
        }
        if (opcode == Opcode.RC_ACKNOWLEDGE) {
            int syndrome = Aeth.syndrome(packet.segment(), packet.offset() + opcode.offsetOf(Extension.AETH));
            if (Syndrome.isRnrNak(syndrome)) {
                return ofRefusal(psn);
            }
            if (Syndrome.isAck(syndrome) && refusals > 0 && comings == 1) {
                return Victim.INVITATION;
            }
        }
        return psn >= lastPsn ? Victim.ANSWER : Victim.NOBODY;
    }

    /** It may be another packet than the one expected: what comes after is about that one. */
    private Victim ofRefusal(int psn) {
        if (refusals++ > 0) {
            return Victim.NOBODY;
        }
        if (psn != faultPsn) {
            faultPsn = psn;
            comings = 1;
        }
        return Victim.REFUSAL;
    }

    private Victim ofRequest(int psn) {
        if (psn == faultPsn - 1) {
            return Victim.PREDECESSOR;
        }
        if (psn == faultPsn) {
            comings++;
            return comings == 1 ? Victim.REQUEST : comings == 2 ? Victim.RETRY : Victim.NOBODY;
        }
        if (psn > faultPsn && !followed) {
            followed = true;
            return Victim.FOLLOWER;
        }
        return Victim.NOBODY;
    }
}
