package org.verbena;

/**
 * An access of an adapter to memory whose pages were missing. Immutable.
 *
 * @param kind the operation
 * @param memoryDomain id of the domain whose memory it is; 0 is the host
 * @param key the key of the access: of a region or a window of the adapter
 * @param address the first byte of the access, as it is addressed under the key
 * @param length bytes that the access needs at once, for instance those of one packet
 * @param queuePair number of the queue pair at the adapter
 */
public record FaultedAccess(FaultKind kind, int memoryDomain, int key, long address, long length, int queuePair) {
    /** Whether the memory is written; else it is read. */
    public boolean isWrite() {
        return kind.isWrite();
    }

    @Override
    public String toString() {
        return kind + " of " + length + " bytes at 0x" + Long.toHexString(address) + " under key 0x"
                + Integer.toHexString(key) + " by queue pair " + queuePair + " in memory of domain " + memoryDomain;
    }
}
