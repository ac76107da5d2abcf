package org.verbena.link.udp.driver;

/**
 * Options of a UDP link that its driver reads.
 *
 * @param segmentation whether the kernel may cut one buffer into many packets
 * @param socketBufferBytes socket memory to request from the system, in each direction
 * @param sourcePorts UDP source ports per local address
 */
public record DriverOptions(boolean segmentation, int socketBufferBytes, int sourcePorts) {}
