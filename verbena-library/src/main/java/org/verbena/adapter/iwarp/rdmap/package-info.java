/**
 * RDMAP: which message may come, why an access is refused, and the terminate message that tells the peer (RFC 5040, RFC 7306).
 *
 * <p>Start at {@link org.verbena.adapter.iwarp.rdmap.MessageRules}. The engine's thread calls.
 */
@NullMarked
package org.verbena.adapter.iwarp.rdmap;

import org.jspecify.annotations.NullMarked;
