/** What can be seen of an adapter: counters under the names that RDMA people know. Written by one thread, read by any. */
@NullMarked
package org.verbena.trace;

import org.jspecify.annotations.NullMarked;
