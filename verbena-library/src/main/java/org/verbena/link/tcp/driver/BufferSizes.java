package org.verbena.link.tcp.driver;

/** Sizes of the system's buffers of a socket, in bytes; 0: the system chooses. */
public record BufferSizes(int sendBytes, int receiveBytes) {}
