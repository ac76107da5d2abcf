/**
 * Queue pair 1, which every port has: takes and sends management datagrams. It is on no rings; whoever serves a class of
 * datagrams is called with each, on the engine's thread.
 */
@NullMarked
package org.verbena.adapter.ib.management;

import org.jspecify.annotations.NullMarked;
