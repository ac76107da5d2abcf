/** {@code verbena demo}. */
@NullMarked
package org.verbena.tools.demo;

import org.jspecify.annotations.NullMarked;
