/** Tests of simulated fabrics. */
@NullMarked
package org.verbena.fabric;

import org.jspecify.annotations.NullMarked;
