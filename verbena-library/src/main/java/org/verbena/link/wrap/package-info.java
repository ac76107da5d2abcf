/**
 * Links around another link: {@link org.verbena.link.wrap.LossyLink} loses, doubles, delays and damages packets, {@link
 * org.verbena.link.wrap.CapturedLink} writes them into a capture file. {@link org.verbena.link.wrap.CapturedStreamNetwork} does the same for a network of
 * streams.
 *
 * <p>A new wrapper of a link extends {@link org.verbena.link.ForwardingLink}.
 *
 * <p>Thread: the thread that drives the link.
 */
@NullMarked
package org.verbena.link.wrap;

import org.jspecify.annotations.NullMarked;
