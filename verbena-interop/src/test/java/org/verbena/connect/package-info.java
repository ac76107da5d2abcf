/** Looks into the package of the library that has the same name. */
@NullMarked
package org.verbena.connect;

import org.jspecify.annotations.NullMarked;
