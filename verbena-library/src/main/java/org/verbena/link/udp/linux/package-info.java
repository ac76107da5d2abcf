/**
 * The UDP driver for Linux: many packets per system call, with segmentation offload.
 *
 * <p>Start at {@link org.verbena.link.udp.linux.LinuxUdpLink}; {@code SendBatch} and {@code ReceiveBatch} are its two directions. Not
 * exported.
 *
 * <p>Thread: the thread that drives the link.
 */
@NullMarked
package org.verbena.link.udp.linux;

import org.jspecify.annotations.NullMarked;
