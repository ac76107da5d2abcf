/**
 * Queue pair 1, which every port has: takes and sends management datagrams. It has no rings. Each class of datagrams has one
 * {@link org.verbena.adapter.ib.management.MadHandler}, which the engine's thread calls with every datagram of the class.
 */
@NullMarked
package org.verbena.adapter.ib.management;

import org.jspecify.annotations.NullMarked;
