package org.verbena.adapter.ib.reliable;

/**
 * State of the peer's receiver, as far as the requester knows it since the last progress. It decides which RNR NAK costs a
 * try. A NAK that answers a try at the peer's own invitation costs nothing: the invitation may have been an ordinary
 * acknowledgement that an earlier NAK overtook. Two such NAKs in a row cost one try.
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>state</th><th>invited by the peer</th><th>RNR NAK</th></tr>
 * <tr><td>READY</td><td>INVITED</td><td>REFUSED, costs a try</td></tr>
 * <tr><td>REFUSED</td><td>INVITED</td><td>REFUSED, costs a try</td></tr>
 * <tr><td>INVITED</td><td>INVITED</td><td>SPARED</td></tr>
 * <tr><td>SPARED</td><td>INVITED_AGAIN</td><td>REFUSED, costs a try</td></tr>
 * <tr><td>INVITED_AGAIN</td><td>INVITED_AGAIN</td><td>REFUSED, costs a try</td></tr>
 * </table>
 *
 * <p>Progress leads from every state to READY.
 */
enum ReceiverState {
    /** No RNR NAK since the last progress. */
    READY,
    /** The last RNR NAK cost a try. */
    REFUSED,
    /** The peer invited the requester after a NAK that cost a try. */
    INVITED,
    /** The last RNR NAK cost nothing. */
    SPARED,
    /** The peer invited the requester after a NAK that cost nothing. */
    INVITED_AGAIN;

    ReceiverState onInvited() {
        return this == SPARED || this == INVITED_AGAIN ? INVITED_AGAIN : INVITED;
    }

    ReceiverState onRefused() {
        return this == INVITED ? SPARED : REFUSED;
    }
}
