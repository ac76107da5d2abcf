/**
 * What the two UDP drivers share.
 *
 * <p>Start at {@link org.verbena.link.udp.driver.DriverOptions}. Not exported.
 *
 * <p>Thread: no state.
 */
@NullMarked
package org.verbena.link.udp.driver;

import org.jspecify.annotations.NullMarked;
