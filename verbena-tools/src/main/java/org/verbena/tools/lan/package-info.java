/** {@code verbena lan}: the drivers of I/O units and hosts. Start at {@link org.verbena.tools.lan.LanCommand}. */
@NullMarked
package org.verbena.tools.lan;

import org.jspecify.annotations.NullMarked;
