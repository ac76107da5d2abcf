/** Tests of the code base as a whole: {@link org.verbena.LayersTest} its arrows, {@link org.verbena.TidinessTest} its files. */
@NullMarked
package org.verbena;

import org.jspecify.annotations.NullMarked;
