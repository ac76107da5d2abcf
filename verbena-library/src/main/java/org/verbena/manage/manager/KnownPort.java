package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.PortInfo;

/** A port as the manager knows it. */
final class KnownPort {
    private static final LinkWidth[] WIDTHS = LinkWidth.values();
    private static final LinkSpeed[] SPEEDS = LinkSpeed.values();
    private static final long TENTH_OF_GIGABIT = 100_000_000L;

    final KnownNode node;
    final int number;
    final long guid;
    /** The outgoing ports of the directed route to the port. */
    final byte[] route;
    /** The port's PortInfo as it was last read or written. */
    final MemorySegment registers = MemorySegment.ofArray(new byte[PortInfo.LENGTH]);

    @Nullable
    KnownPort peer;
    /** First local identifier, of ports that have one; 0: none yet. */
    int lid;

    int lmc;
    /** Whether the port was active when discovery found it. */
    boolean foundActive;

    KnownPort(KnownNode node, int number, long guid, byte[] route) {
        this.node = node;
        this.number = number;
        this.guid = guid;
        this.route = route;
    }

    boolean isEnd() {
        return !node.isSwitch() || number == 0;
    }

    int state() {
        return PortInfo.STATE.read(registers, 0);
    }

    /** Whether there is a link: a cable, trained. */
    boolean isLinked() {
        int state = state();
        return number != 0 && state >= PortState.INIT.code() && state <= PortState.ACTIVE.code();
    }

    /** Code of the MTU that the link has. */
    int mtuCode() {
        return PortInfo.NEIGHBOR_MTU.read(registers, 0);
    }

    /** Tenths of gigabits per second: signal rate of all lanes of the cable. */
    int tenthsOfGigabits() {
        int lanes = 1;
        int width = PortInfo.WIDTH_ACTIVE.read(registers, 0);
        for (LinkWidth known : WIDTHS) {
            if (known.bit() == width) {
                lanes = known.lanes();
            }
        }
        int speed = PortInfo.SPEED_ACTIVE.read(registers, 0);
        int extended = PortInfo.EXTENDED_ACTIVE.read(registers, 0);
        long perLane = LinkSpeed.SDR.bitsPerSecond();
        for (LinkSpeed known : SPEEDS) {
            if (extended != 0 ? known.extendedBit() == extended : known.bit() == speed && known != LinkSpeed.FDR10) {
                perLane = signalBitsPerSecond(known);
            }
        }
        return (int) (perLane * lanes / TENTH_OF_GIGABIT);
    }

    /** Signal rate of one lane: the records of paths have it, not the rate of data. */
    private static long signalBitsPerSecond(LinkSpeed speed) {
        return switch (speed) {
            case SDR -> 2_500_000_000L;
            case DDR -> 5_000_000_000L;
            case QDR, FDR10 -> 10_000_000_000L;
            case FDR -> 14_000_000_000L;
            case EDR -> 25_000_000_000L;
            case HDR -> 50_000_000_000L;
            case NDR -> 100_000_000_000L;
        };
    }

    @Override
    public String toString() {
        return node + "[" + number + "]";
    }
}
