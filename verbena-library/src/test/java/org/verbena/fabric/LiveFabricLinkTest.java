package org.verbena.fabric;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.verbena.link.Framing;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;

/** The contract of links over three switches, in the machine's time. */
final class LiveFabricLinkTest extends LinkContractTest {
    private static final long PAUSE_NS = 50_000;
    private static final int BUFFER_BYTES = 1 << 17;

    private @Nullable ThreeSwitches fabric;

    @Override
    protected LinkPair open() {
        ThreeSwitches made = new ThreeSwitches(6, FabricOptions.DEFAULT.withBufferBytes(BUFFER_BYTES));
        made.fabric().start();
        fabric = made;
        return new LinkPair(
                new FramedLink(made.open(), () -> turn(made.fabric())),
                new FramedLink(made.open(), () -> turn(made.fabric())));
    }

    /** The thread of the fabric has a turn, in which it makes room. */
    private static boolean turn(Fabric fabric) {
        fabric.call(() -> {});
        LockSupport.parkNanos(PAUSE_NS); // cables take real time
        return true;
    }

    @AfterEach
    void closeFabric() {
        if (fabric != null) {
            fabric.close();
        }
    }

    /** A port of a fabric has one address. */
    @Override
    protected @Nullable LinkPair openWithTwoAddresses() {
        return null;
    }

    @Override
    protected boolean lossless() {
        return true;
    }

    /** The turns of the fabric that the test asks for are objects. */
    @Override
    protected boolean allocates() {
        return true;
    }

    @Override
    protected Framing framing() {
        return Framing.INFINIBAND;
    }

    /** Only a global route header has them, and packets within a subnet have none. */
    @Override
    protected boolean seesMarks() {
        return false;
    }
}
