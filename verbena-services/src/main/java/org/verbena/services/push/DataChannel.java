package org.verbena.services.push;

/** What channel 1 of a service connection carries. */
public enum DataChannel {
    /** There is no channel 1: data go as SendData on channel 0. */
    NONE,
    /** SendData: messages into receives that the peer has posted. */
    SEND,
    /** RDMA: data go into pools of buffers, as the transfer model says. */
    RDMA
}
