package org.verbena.adapter.ib.message;

import org.verbena.Mtu;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.PairService;
import org.verbena.link.Address;
import org.verbena.link.LinkFlow;

/**
 * Parameters of a connection over InfiniBand (INIT → RTR).
 *
 * @param service reliable or unreliable connection
 * @param remote the peer's address
 * @param remoteQueuePair number of the peer's queue pair
 * @param flow the way of the packets through the network
 * @param pkey partition
 * @param mtu largest payload of a packet
 * @param receive parameters of the receiving half
 */
public record ConnectParameters(
        PairService service,
        Address remote,
        int remoteQueuePair,
        LinkFlow flow,
        int pkey,
        Mtu mtu,
        ReceiveParameters receive)
        implements AttachParameters {}
