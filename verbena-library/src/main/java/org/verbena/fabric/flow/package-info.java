/**
 * The data path of a fabric: packets, lanes with credits, arbitration, switches, in one order of events.
 *
 * <p>Thread: the thread that drives the fabric.
 */
@NullMarked
package org.verbena.fabric.flow;

import org.jspecify.annotations.NullMarked;
