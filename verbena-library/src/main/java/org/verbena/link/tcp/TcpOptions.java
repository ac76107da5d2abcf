package org.verbena.link.tcp;

import org.verbena.link.LinkException;

/**
 * How to open a TCP network.
 *
 * @param sendBufferBytes bytes on the way that the system keeps for each stream until the peer has them; 0: the system chooses, and changes it with
 *     the traffic. It may give more or less than is asked for
 * @param receiveBufferBytes bytes that have arrived and that the system keeps for each stream until they are read; 0 as above
 */
public record TcpOptions(int sendBufferBytes, int receiveBufferBytes) {
    /** The system chooses everything. */
    public static final TcpOptions DEFAULT = new TcpOptions(0, 0);

    public TcpOptions {
        requireSize("send", sendBufferBytes);
        requireSize("receive", receiveBufferBytes);
    }

    private static void requireSize(String direction, int bytes) {
        if (bytes < 0) {
            throw new LinkException(direction + " buffer of " + bytes + " bytes found, 0 or more expected");
        }
    }

    public TcpOptions withSendBufferBytes(int bytes) {
        return new TcpOptions(bytes, receiveBufferBytes);
    }

    public TcpOptions withReceiveBufferBytes(int bytes) {
        return new TcpOptions(sendBufferBytes, bytes);
    }
}
