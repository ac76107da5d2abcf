/**
 * The words that every layer uses and a consumer names: states, operations, outcomes, rights and the like. Values and enums only; they
 * depend on the JDK alone.
 */
@NullMarked
package org.verbena;

import org.jspecify.annotations.NullMarked;
