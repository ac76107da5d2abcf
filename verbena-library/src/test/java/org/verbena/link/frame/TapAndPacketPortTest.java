package org.verbena.link.frame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A TAP interface and a packet socket at the same interface: a frame that one sends comes in at the other. */
@EnabledOnOs(OS.LINUX)
final class TapAndPacketPortTest extends FramePortContractTest {
    private @Nullable Namespace namespace;

    @Override
    FramePair open() throws Exception {
        Namespace made = new Namespace();
        namespace = made;
        FramePort tap = made.tap("");
        return new FramePair(tap, made.call(() -> PacketPort.open(tap.name())));
    }

    @AfterEach
    void leave() {
        if (namespace != null) {
            namespace.close();
        }
    }
}
