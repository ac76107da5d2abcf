package org.verbena.fabric;

import org.verbena.Mtu;
import org.verbena.manage.agent.Conduct;
import org.verbena.time.Seed;

/**
 * How a fabric behaves where its topology and its management do not say it. Immutable; the {@code with} methods give changed copies.
 *
 * @param seed source of chance for faults
 * @param bufferBytes receive buffer of each lane of a port
 * @param switchDelayNs from the first byte of a packet at a switch to the earliest first byte behind it
 * @param storeAndForward whether a switch waits for a packet's last byte before it sends the first
 * @param mtu the longest payload that every port supports
 * @param lanes for data that every port supports: 1, 2, 4, 8 or 15
 * @param conduct how agents treat what ibsim leaves out
 * @param administration whether links ask the subnet administration for ways and groups; if not, they look into the fabric's registers, and
 *     every way has service level 0
 * @param congestionBytes a packet that finds more bytes than this waiting on its lane is marked (FECN); 0: none is
 */
public record FabricOptions(
        Seed seed,
        int bufferBytes,
        int switchDelayNs,
        boolean storeAndForward,
        Mtu mtu,
        int lanes,
        Conduct conduct,
        boolean administration,
        int congestionBytes) {
    /** Lanes for data of one port. */
    public static final int LANES_MAX = 15;

    /** Seed 1, 32 KiB a lane, 100 ns, cut-through, MTU 2048, 8 lanes, agents as the standard says, ways by the administration, no marks. */
    public static final FabricOptions DEFAULT =
            new FabricOptions(new Seed(1), 32 * 1024, 100, false, Mtu.MTU_2048, 8, Conduct.STANDARD, true, 0);

    private static final int BLOCK = 64;
    private static final int BUFFER_MIN = 4608;
    private static final int BUFFER_MAX = 2048 * BLOCK;
    private static final int DELAY_MAX_NS = 1_000_000;
    private static final int CONGESTION_MAX = 1 << 30;

    /**
     * Checks the numbers.
     *
     * @throws FabricException if one is out of range
     */
    public FabricOptions {
        FabricException.require("bufferBytes", bufferBytes, BUFFER_MIN, BUFFER_MAX);
        FabricException.require("switchDelayNs", switchDelayNs, 0, DELAY_MAX_NS);
        if (lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8 && lanes != LANES_MAX) {
            throw new FabricException("lanes " + lanes + " found, 1, 2, 4, 8 or 15 expected");
        }
        FabricException.require("congestionBytes", congestionBytes, 0, CONGESTION_MAX);
    }

    public FabricOptions withSeed(Seed other) {
        return new FabricOptions(
                other,
                bufferBytes,
                switchDelayNs,
                storeAndForward,
                mtu,
                lanes,
                conduct,
                administration,
                congestionBytes);
    }

    public FabricOptions withBufferBytes(int other) {
        return new FabricOptions(
                seed, other, switchDelayNs, storeAndForward, mtu, lanes, conduct, administration, congestionBytes);
    }

    public FabricOptions withSwitchDelayNs(int other) {
        return new FabricOptions(
                seed, bufferBytes, other, storeAndForward, mtu, lanes, conduct, administration, congestionBytes);
    }

    public FabricOptions withStoreAndForward(boolean other) {
        return new FabricOptions(
                seed, bufferBytes, switchDelayNs, other, mtu, lanes, conduct, administration, congestionBytes);
    }

    public FabricOptions withMtu(Mtu other) {
        return new FabricOptions(
                seed,
                bufferBytes,
                switchDelayNs,
                storeAndForward,
                other,
                lanes,
                conduct,
                administration,
                congestionBytes);
    }

    public FabricOptions withLanes(int other) {
        return new FabricOptions(
                seed,
                bufferBytes,
                switchDelayNs,
                storeAndForward,
                mtu,
                other,
                conduct,
                administration,
                congestionBytes);
    }

    public FabricOptions withConduct(Conduct other) {
        return new FabricOptions(
                seed, bufferBytes, switchDelayNs, storeAndForward, mtu, lanes, other, administration, congestionBytes);
    }

    public FabricOptions withCongestionBytes(int other) {
        return new FabricOptions(
                seed, bufferBytes, switchDelayNs, storeAndForward, mtu, lanes, conduct, administration, other);
    }

    public FabricOptions withAdministration(boolean other) {
        return new FabricOptions(
                seed, bufferBytes, switchDelayNs, storeAndForward, mtu, lanes, conduct, other, congestionBytes);
    }
}
