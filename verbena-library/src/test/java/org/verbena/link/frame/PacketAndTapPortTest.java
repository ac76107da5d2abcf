package org.verbena.link.frame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The same as {@link TapAndPacketPortTest}, seen from the other side. */
@EnabledOnOs(OS.LINUX)
final class PacketAndTapPortTest extends FramePortContractTest {
    private @Nullable Namespace namespace;

    @Override
    FramePair open() throws Exception {
        Namespace made = new Namespace();
        namespace = made;
        FramePort tap = made.tap("");
        return new FramePair(made.call(() -> PacketPort.open(tap.name())), tap);
    }

    @AfterEach
    void leave() {
        if (namespace != null) {
            namespace.close();
        }
    }
}
