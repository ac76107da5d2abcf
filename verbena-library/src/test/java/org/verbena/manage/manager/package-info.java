/** Tests of the subnet manager: routing against golden tables and an own check, sweeps on a stand of agents, the subnet administration. */
@NullMarked
package org.verbena.manage.manager;

import org.jspecify.annotations.NullMarked;
