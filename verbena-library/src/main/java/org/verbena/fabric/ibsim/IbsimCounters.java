package org.verbena.fabric.ibsim;

/**
 * What a server has done since it was opened.
 *
 * @param connected clients that connected
 * @param disconnected clients that said that they end
 * @param vanished clients that ended without a word: their socket was closed
 * @param displaced clients whose slot a new client got, because all slots were in use
 * @param requests datagrams of clients that went into the fabric
 * @param delivered datagrams from the fabric that went to clients
 * @param repeated lost requests that were sent again
 * @param bounced lost datagrams that were given back to their client with status 110
 * @param controlErrors control messages that were answered with an error
 * @param refusedControls datagrams at the control port that are no message: length or first word
 * @param refusedMads datagrams of clients that are no management datagram: length, version or directed route
 * @param refusedSources datagrams from a socket that is not the slot's client, or not of this machine
 * @param refusedClients control messages with the slot of another client
 */
public record IbsimCounters(
        long connected,
        long disconnected,
        long vanished,
        long displaced,
        long requests,
        long delivered,
        long repeated,
        long bounced,
        long controlErrors,
        long refusedControls,
        long refusedMads,
        long refusedSources,
        long refusedClients) {}
