package org.verbena.services.lan;

/** Where frames for a host go: its service connection. */
interface FrameOutlet {
    /** Bytes of the longest datum that the host takes. */
    int bytesMax();

    /** Data that are on their way or wait. */
    int underWay();

    /** Sends a datum; false if it is dropped. */
    boolean push(int slot, int length);
}
