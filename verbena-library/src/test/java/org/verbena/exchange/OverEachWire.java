package org.verbena.exchange;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * The tests of a class run once over each wire, which its constructor gets, and over a fabric, which a test sees as RoCE ({@link EachWire}): they are about the
 * contract that all wires have. {@link
 * org.verbena.EachWireTest} lists the classes of the API's tests that do not, with their reasons.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "over {0}", allowZeroInvocations = true)
@ArgumentsSource(EachWire.class)
@ExtendWith(OnFabric.class)
public @interface OverEachWire {}
