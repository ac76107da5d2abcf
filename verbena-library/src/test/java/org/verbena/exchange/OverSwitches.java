package org.verbena.exchange;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tests of a class run over RoCE by IP and again over a fabric of three switches: they are about what iWARP does not have. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith({PacketsAndSwitches.class, OnFabric.class})
public @interface OverSwitches {}
