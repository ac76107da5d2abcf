/**
 * The messaging layer: service connections with a control channel and a data channel, over queue pairs that its users do not see. Start at
 * {@link org.verbena.services.push.MessagingLayer}.
 *
 * <p>A messaging layer and everything that it makes belong to one thread: the thread that calls {@link
 * org.verbena.services.push.MessagingLayer#work}.
 */
@NullMarked
package org.verbena.services.push;

import org.jspecify.annotations.NullMarked;
