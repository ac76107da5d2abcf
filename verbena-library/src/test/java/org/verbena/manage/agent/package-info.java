/** Tests of the agents of a node. */
@NullMarked
package org.verbena.manage.agent;

import org.jspecify.annotations.NullMarked;
