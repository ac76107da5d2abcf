/**
 * What can be seen of a running system: one registry of metrics, and Flight Recorder events.
 *
 * <p>Start at {@link org.verbena.trace.MetricRegistry}. A {@link org.verbena.trace.MetricGroup} describes the metrics of one type of
 * source and how they are read; an adapter or a hypervisor registers its sources in a {@link org.verbena.trace.MetricScope}. The
 * names are those that RDMA tools show. Sources are written by the threads that own them and read by any thread.
 */
@NullMarked
package org.verbena.trace;

import org.jspecify.annotations.NullMarked;
