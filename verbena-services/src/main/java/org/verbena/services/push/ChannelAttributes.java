package org.verbena.services.push;

import org.verbena.verbs.Service;

/**
 * The two attributes of a channel. They decide the service of its queue pairs.
 *
 * <table>
 * <caption>Services</caption>
 * <tr><th></th><th>connected</th><th>not connected</th></tr>
 * <tr><th>acknowledged</th><td>RC</td><td>none: this would be reliable datagrams (RD), which no adapter of today has, Verbena's neither</td></tr>
 * <tr><th>not acknowledged</th><td>UC</td><td>UD</td></tr>
 * </table>
 *
 * @param acknowledged whether a request completes when the peer has acknowledged it; otherwise it completes when it is sent
 * @param connected whether the queue pairs of both ends are bound together; otherwise each message names its destination
 */
public record ChannelAttributes(boolean acknowledged, boolean connected) {
    /** Acknowledged and connected: RC. */
    public static final ChannelAttributes RELIABLE = new ChannelAttributes(true, true);
    /** Connected, not acknowledged: UC. */
    public static final ChannelAttributes UNACKNOWLEDGED = new ChannelAttributes(false, true);
    /** Neither: UD. */
    public static final ChannelAttributes DATAGRAM = new ChannelAttributes(false, false);

    /**
     * Checks that there is a service for the attributes.
     *
     * @throws IllegalArgumentException if the channel is acknowledged and not connected
     */
    public ChannelAttributes {
        if (acknowledged && !connected) {
            throw new IllegalArgumentException(
                    "an acknowledged channel without a connection needs reliable datagrams (RD), which adapters do not have;"
                            + " expected connected, or not acknowledged");
        }
    }

    /** The service of the channel's queue pairs. */
    public Service service() {
        return acknowledged ? Service.RC : connected ? Service.UC : Service.UD;
    }
}
