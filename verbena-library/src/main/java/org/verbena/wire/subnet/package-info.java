/**
 * Management datagrams of subnet and performance management (specification, chapters 14 and 16). An attribute is a class of {@link
 * org.verbena.wire.subnet.Field fields} that read and write in place: nothing is allocated, and no bytes cause an exception.
 *
 * <p>Start at {@link org.verbena.wire.subnet.Smp}.
 *
 * <p>Thread: any.
 */
@NullMarked
package org.verbena.wire.subnet;

import org.jspecify.annotations.NullMarked;
