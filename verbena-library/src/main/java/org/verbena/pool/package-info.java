/**
 * Objects and numbers that are taken and given back. {@link org.verbena.pool.HoldCount} counts the holders of an object,
 * {@link org.verbena.pool.IndexPool} gives out indexes with generations. Not exported. Each class says which threads may use it.
 */
@NullMarked
package org.verbena.pool;

import org.jspecify.annotations.NullMarked;
