/** Tests of the structure of the module. */
@NullMarked
package org.verbena.services;

import org.jspecify.annotations.NullMarked;
