package org.verbena.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Gives tests a Linux kernel that speaks RoCEv2: {@code @ExtendWith(KernelPeer.class)} and a parameter of type {@link PeerVm};
 * {@link SiwPeer} gives one that speaks iWARP. All tests of a run share one VM of each kind, started for the first. Where there can be none, each test is skipped with the reason; with {@code
 * VERBENA_INTEROP=required} in the environment it fails. A test whose VM dies under it is skipped as well, and the next one
 * gets a new VM: QEMU 7.2 without KVM now and then loses the flags of the processor that it emulates, and the guest's kernel
 * panics ("double fault"). More than {@value #DEATHS} of them in a run are failures.
 */
public sealed class KernelPeer implements BeforeEachCallback, TestExecutionExceptionHandler, ParameterResolver
        permits SiwPeer {
    private static final int DEATHS = 2;

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(KernelPeer.class);

    private final Device device;

    /** For JUnit. */
    public KernelPeer() {
        this(Device.RXE);
    }

    KernelPeer(Device device) {
        this.device = device;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Lab lab = lab(context);
        String reason = lab.missing(device);
        if (reason == null) {
            lab.enter();
        } else {
            Skip.because(reason);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        String death = lab(context).death(device);
        if (death == null || lab(context).deaths() > DEATHS) {
            throw failure;
        }
        System.err.println("the VM died under " + context.getDisplayName() + "; its console: " + death);
        throw new TestAbortedException("the VM died: " + Skip.panicOf(death), failure);
    }

    private static Lab lab(ExtensionContext context) {
        return context.getRoot().getStore(STORE).computeIfAbsent(Lab.class, _ -> new Lab(), Lab.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == PeerVm.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        try {
            return lab(context).vm(device);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
