package org.verbena;

/** The message of length 0 by which an initiator of the peer-to-peer model tells that it is ready to receive (RFC 6581, 9). */
public enum ReadyMessage {
    WRITE,
    READ,
    SEND
}
