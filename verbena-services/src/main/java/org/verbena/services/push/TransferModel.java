package org.verbena.services.push;

/** How data go from one end of a service connection to the other. Both ends agree on it when they connect. */
public enum TransferModel {
    /** Each end writes its data into memory of the other end and indicates it with the write. */
    PUSH_PUSH,
    /** The connecting end writes; the accepting end announces its data, and the connecting end reads them. */
    PUSH_PULL,
    /** Each end announces its data, and the other end reads them. */
    PULL_PULL;

    /**
     * Whether data in one direction are written by the sender.
     *
     * @param fromConnector whether the end that connected sends them
     */
    public boolean pushes(boolean fromConnector) {
        return this == PUSH_PUSH || (this == PUSH_PULL && fromConnector);
    }
}
