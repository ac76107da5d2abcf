package org.verbena.link.process;

import java.lang.foreign.MemorySegment;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkCounters;
import org.verbena.link.Packet;

/** The members of a group of an {@link InProcessNetwork}, as one sender sees them. Its thread only. */
final class InProcessMembers {
    private final InProcessNetwork network;
    private final Endpoint group;
    private InProcessLink[] members = InProcessNetwork.NOBODY;
    private PacketRing.Claim[] claims = new PacketRing.Claim[0];

    InProcessMembers(InProcessNetwork network, Endpoint group) {
        this.network = network;
        this.group = group;
    }

    /** Gives every member with room a copy, and counts the members without; false if there is no member. */
    boolean deliver(Packet packet, LinkCounters counters) {
        refresh();
        boolean delivered = false;
        for (int i = 0; i < members.length; i++) {
            if (deliver(packet, members[i].ring(), claims[i])) {
                delivered = true;
            } else {
                counters.onSendDropped(1);
            }
        }
        return delivered || members.length > 0;
    }

    private static boolean deliver(Packet packet, PacketRing ring, PacketRing.Claim claim) {
        int length = packet.length();
        if (!ring.claim(claim, length)) {
            return false;
        }
        MemorySegment.copy(packet.segment(), packet.offset(), ring.segment(), claim.offset(ring), length);
        ring.commit(claim, packet);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // Arrays are replaced, never changed.
    private void refresh() {
        InProcessLink[] now = network.members(group);
        if (now != members) {
            members = now;
            claims = new PacketRing.Claim[now.length];
            for (int i = 0; i < now.length; i++) {
                claims[i] = new PacketRing.Claim(now[i].ring());
            }
        }
    }

    void rouse() {
        for (InProcessLink member : members) {
            member.rouseIfAsleep();
        }
    }
}
