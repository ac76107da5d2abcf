package org.verbena.interop.peer;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a Linux kernel: {@code @ExtendWith(KernelPeer.class)} and a parameter of type {@link PeerVm}. All tests of a
 * run share one VM, started for the first. Where there can be none, each test is skipped with the reason; with {@code
 * VERBENA_INTEROP=required} in the environment it fails.
 */
public final class KernelPeer implements BeforeEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(KernelPeer.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        Lab lab = lab(context);
        String reason = lab.missing();
        if (reason == null) {
            lab.enter();
        } else if ("required".equals(System.getenv("VERBENA_INTEROP"))) {
            throw new IllegalStateException(reason);
        } else {
            abort(reason);
        }
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
            return lab(context).vm();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
