package org.verbena.exchange;

import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Puts the adapters of {@link Wires} on a fabric while the tests of a class run over it. */
final class OnFabric implements BeforeClassTemplateInvocationCallback, AfterClassTemplateInvocationCallback {
    @Override
    public void beforeClassTemplateInvocation(ExtensionContext context) {
        Wires.onFabric(context.getDisplayName().contains(EachWire.FABRIC));
    }

    @Override
    public void afterClassTemplateInvocation(ExtensionContext context) {
        Wires.onFabric(false);
    }
}
