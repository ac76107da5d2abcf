/**
 * Ports for Ethernet frames: network interfaces of the system, sockets of virtual machines, and cables within the process.
 *
 * <p>Start at {@link org.verbena.link.frame.FramePort}. {@link org.verbena.link.frame.TapPort}, {@link
 * org.verbena.link.frame.PacketPort} and {@link org.verbena.link.frame.SocketPort} open ports of the system, {@link org.verbena.link.frame.FrameCable} is
 * the cable. {@code DescriptorPort} has what ports of Linux share, {@link org.verbena.link.frame.Offload} makes complete frames of large segments.
 *
 * <p>Thread: one at a time uses a port. Any thread may open one.
 */
@NullMarked
package org.verbena.link.frame;

import org.jspecify.annotations.NullMarked;
