/** Tests of the messaging layer, most of them in virtual time. */
@NullMarked
package org.verbena.services.push;

import org.jspecify.annotations.NullMarked;
