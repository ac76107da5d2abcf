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
 * The wires. {@code -Dverbena.wire=FABRIC} runs the tests over a fabric in their place, where what RoCE carries by IP goes over three switches;
 * another name runs them over that wire only.
 */
final class EachWire implements ArgumentsProvider {
    /** Classes whose tests name IPv4 addresses or UDP ports, which a fabric does not have. */
    private static final Set<String> BY_IP = Set.of("ErrorTextsTest", "PeerPortTest", "ClosingTest");

    static final String FABRIC = "FABRIC";

    /** The only one to run over, by name; empty: all. */
    private static final String ONLY = System.getProperty("verbena.wire", "");

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        if (ONLY.equals(FABRIC)) {
            return BY_IP.contains(context.getRequiredTestClass().getSimpleName())
                    ? Stream.of()
                    : Stream.of(Arguments.of(Named.of(FABRIC, Wire.ROCE)));
        }
        return Stream.of(Wire.values())
                .filter(wire -> ONLY.isEmpty() || wire.name().equals(ONLY))
                .map(Arguments::of);
    }
}
