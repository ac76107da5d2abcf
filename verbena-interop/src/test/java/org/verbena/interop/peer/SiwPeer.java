package org.verbena.interop.peer;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/**
 * Gives tests a Linux kernel that speaks iWARP: {@code @ExtendWith(SiwPeer.class)} and a parameter of type {@link PeerVm}. At the
 * begin of each test the kernel has {@link SiwTerms#DEFAULT}.
 */
public final class SiwPeer extends KernelPeer {
    /** For JUnit. */
    public SiwPeer() {
        super(Device.SIW);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Object vm = super.resolveParameter(parameter, context);
        SiwTerms.DEFAULT.applyTo((PeerVm) vm);
        return vm;
    }
}
