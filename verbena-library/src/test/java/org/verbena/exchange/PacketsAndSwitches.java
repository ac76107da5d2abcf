package org.verbena.exchange;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.verbena.Wire;

/** RoCE by IP, and a fabric of three switches, as far as {@code -Dverbena.wire} lets them. */
final class PacketsAndSwitches implements ClassTemplateInvocationContextProvider {
    private record Over(String name) implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return "over " + name;
        }
    }

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
        return Stream.of(Wire.ROCE.name(), EachWire.FABRIC)
                .filter(EachWire::isWanted)
                .map(Over::new);
    }

    @Override
    public boolean mayReturnZeroClassTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }
}
