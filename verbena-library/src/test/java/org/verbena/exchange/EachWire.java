package org.verbena.exchange;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.verbena.Wire;

/**
 * The wires, and a fabric of three switches, which a test sees as RoCE. {@code -Dverbena.wire} names the only one to run over: {@code ROCE}, {@code IWARP}
 * or {@code FABRIC}.
 */
final class EachWire implements ArgumentsProvider {
    static final String FABRIC = "FABRIC";

    /** Classes whose tests would take more than half of the time of all on a fabric. They run over it if {@code -Dverbena.wire} asks for it. */
    private static final Set<String> LONG_ON_FABRIC =
            Set.of("AllocationTest", "LargeMessageTest", "MessageChannelTest", "RunnersTest");

    /** The only one to run over, by name; empty: all. */
    private static final String ONLY = System.getProperty("verbena.wire", "");

    /** Whether tests run over a wire, or the fabric. */
    static boolean isWanted(String name) {
        return ONLY.isEmpty() || ONLY.equals(name);
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        String name = context.getRequiredTestClass().getSimpleName();
        boolean leftOut = ONLY.isEmpty() && LONG_ON_FABRIC.contains(name);
        Stream<Arguments> wires =
                Stream.of(Wire.values()).filter(wire -> isWanted(wire.name())).map(Arguments::of);
        return isWanted(FABRIC) && !leftOut
                ? Stream.concat(wires, Stream.of(Arguments.of(Named.of(FABRIC, Wire.ROCE))))
                : wires;
    }
}
