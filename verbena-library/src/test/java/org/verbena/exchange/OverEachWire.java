package org.verbena.exchange;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Wire;

/**
 * The tests of a class run once over each wire, which its constructor gets: they are about the contract that all wires have. {@link
 * org.verbena.EachWireTest} lists the classes of the API's tests that do not, with their reasons.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "over {0}")
@EnumSource(Wire.class)
public @interface OverEachWire {}
