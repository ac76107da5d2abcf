package org.verbena.fabric;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.verbena.link.Framing;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;

/** The contract of links over three switches, in virtual time. */
final class FabricLinkTest extends LinkContractTest {
    /** Room for as many packets as the contract's tests send before they look. */
    private static final int BUFFER_BYTES = 1 << 17;

    private @Nullable ThreeSwitches fabric;

    @Override
    protected LinkPair open() {
        ThreeSwitches made = new ThreeSwitches(6, FabricOptions.DEFAULT.withBufferBytes(BUFFER_BYTES));
        fabric = made;
        return new LinkPair(
                new FramedLink(made.open(), made::step), new FramedLink(made.open(), made::step), link -> made.step());
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
