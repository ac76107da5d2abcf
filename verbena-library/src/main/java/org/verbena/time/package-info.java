/** The only source of time and of chance: clocks, the timer wheel, seeds. Imports nothing but the JDK. */
@NullMarked
package org.verbena.time;

import org.jspecify.annotations.NullMarked;
