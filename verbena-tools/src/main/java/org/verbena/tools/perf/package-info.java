/**
 * {@code verbena perf}: how fast one operation is, between two adapters. {@link org.verbena.tools.perf.PerfCommand}
 * turns options into a {@link org.verbena.tools.perf.PerfPlan} (agreed by both ends) and a {@link
 * org.verbena.tools.perf.LocalSetting} (the settings of this end); {@link org.verbena.tools.perf.LoopbackRun}, {@link
 * org.verbena.tools.perf.ClientRun} and {@link org.verbena.tools.perf.ServerRun} carry it out; {@link
 * org.verbena.tools.perf.PerfReport} is the result.
 *
 * <p>The initiator runs on the command's thread. The target runs on a thread of its own where it has anything to do, or
 * takes its turns between the initiator's. Nothing allocates while messages flow.
 */
@NullMarked
package org.verbena.tools.perf;

import org.jspecify.annotations.NullMarked;
