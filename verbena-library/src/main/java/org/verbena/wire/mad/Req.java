package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Request for communication (Table 106): asks for a connection.
 *
 * @param localId the sender's id of the connection
 * @param serviceId the service to connect to
 * @param end the sender's queue pair
 * @param reads the sender's limits of reads and atomics
 * @param transport the service that both queue pairs have
 * @param timing of the exchange of messages
 * @param delivery settings of the receiver's queue pair
 * @param paths between the two ports
 */
public record Req(
        int localId,
        long serviceId,
        CmEnd end,
        CmReads reads,
        Transport transport,
        Timing timing,
        Delivery delivery,
        Paths paths,
        PrivateData privateData)
        implements CmMessage {
    /**
     * The service of a connection.
     *
     * @param service 0 reliable, 1 unreliable connection, 2 reliable datagram, 2 bits
     * @param extended kind of an extended transport, 3 bits; 0: none
     * @param remoteEndToEndContext the receiver's, 24 bits; 0 unless the service is reliable datagram
     * @param rdcExists whether a reliable datagram channel exists already
     */
    public record Transport(int service, int extended, int remoteEndToEndContext, boolean rdcExists) {
        /** A transport without extensions. */
        public static Transport of(int service) {
            return new Transport(service, 0, 0, false);
        }
    }

    /**
     * Times and repetitions of the messages that make the connection.
     *
     * @param remoteResponseTimeout code of the time within which the receiver answers, 5 bits
     * @param localResponseTimeout code of the time within which the sender answers, 5 bits
     * @param cmRetries repetitions of a message without an answer, 4 bits
     */
    public record Timing(int remoteResponseTimeout, int localResponseTimeout, int cmRetries) {}

    /**
     * Settings of the receiver's queue pair.
     *
     * @param retries 3 bits
     * @param rnrRetries 3 bits; 7: without end
     * @param flowControl whether the sender gives end-to-end credits
     */
    public record Delivery(int retries, int rnrRetries, boolean flowControl) {}

    /**
     * The way between the ports.
     *
     * @param pkey partition of the connection
     * @param mtu code of the MTU, 4 bits
     * @param alternate {@link CmPath#NONE} without one
     */
    public record Paths(int pkey, int mtu, CmPath primary, CmPath alternate) {
        /** A path without an alternate. */
        public static Paths of(int pkey, int mtu, CmPath primary) {
            return new Paths(pkey, mtu, primary, CmPath.NONE);
        }
    }

    public static final int ATTRIBUTE = 0x10;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 92;

    private static final int SERVICE = 8;
    private static final int GUID = 16;
    private static final int QKEY = 28;
    private static final int QUEUE_PAIR = 32;
    private static final int LOCAL_CONTEXT = 36;
    private static final int REMOTE_CONTEXT = 40;
    private static final int PSN = 44;
    private static final int PKEY_TO_RETRIES = 48;
    private static final int PRIMARY = 52;
    private static final int ALTERNATE = PRIMARY + CmPath.LENGTH;
    private static final int PRIVATE_DATA = ALTERNATE + CmPath.LENGTH;

    /** Whether the datagram at {@code at} is a request. */
    public static boolean isRequest(MemorySegment segment, long at) {
        return Mad.managementClass(segment, at) == Mad.CLASS_CM && Mad.attribute(segment, at) == ATTRIBUTE;
    }

    /**
     * Names the way through the subnet in the request at {@code at}. A service level other than 0 stays.
     *
     * @param subnetLocal whether no router is on the way
     */
    public static void route(
            MemorySegment segment, long at, int sourceLid, int destinationLid, int serviceLevel, boolean subnetLocal) {
        CmPath.route(segment, at + PRIMARY, sourceLid, destinationLid, serviceLevel, subnetLocal);
    }

    /** Reads the message at {@code at}. */
    public static Req read(MemorySegment segment, long at) {
        int queuePair = BigEndian.readInt(segment, at + QUEUE_PAIR);
        int local = BigEndian.readInt(segment, at + LOCAL_CONTEXT);
        int remote = BigEndian.readInt(segment, at + REMOTE_CONTEXT);
        int psn = BigEndian.readInt(segment, at + PSN);
        int rest = BigEndian.readInt(segment, at + PKEY_TO_RETRIES);
        return new Req(
                BigEndian.readInt(segment, at),
                BigEndian.readLong(segment, at + SERVICE),
                new CmEnd(
                        BigEndian.readLong(segment, at + GUID),
                        queuePair >>> 8,
                        BigEndian.readInt(segment, at + QKEY),
                        local >>> 8,
                        psn >>> 8,
                        (rest & 8) != 0),
                new CmReads(queuePair & 0xff, local & 0xff),
                new Transport(remote >>> 1 & 3, rest & 7, remote >>> 8, (rest & 0x800) != 0),
                new Timing(remote >>> 3 & 0x1f, psn >>> 3 & 0x1f, rest >>> 4 & 0xf),
                new Delivery(psn & 7, rest >>> 8 & 7, (remote & 1) != 0),
                new Paths(
                        rest >>> 16,
                        rest >>> 12 & 0xf,
                        CmPath.read(segment, at + PRIMARY),
                        CmPath.read(segment, at + ALTERNATE)),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeLong(segment, at + SERVICE, serviceId);
        BigEndian.writeLong(segment, at + GUID, end.guid());
        BigEndian.writeInt(segment, at + QKEY, end.qkey());
        BigEndian.writeInt(segment, at + QUEUE_PAIR, end.queuePair() << 8 | (reads.responderResources() & 0xff));
        BigEndian.writeInt(segment, at + LOCAL_CONTEXT, end.endToEndContext() << 8 | (reads.initiatorDepth() & 0xff));
        int remote = transport.remoteEndToEndContext() << 8
                | (timing.remoteResponseTimeout() & 0x1f) << 3
                | (transport.service() & 3) << 1
                | (delivery.flowControl() ? 1 : 0);
        BigEndian.writeInt(segment, at + REMOTE_CONTEXT, remote);
        int psn = end.startingPsn() << 8 | (timing.localResponseTimeout() & 0x1f) << 3 | (delivery.retries() & 7);
        BigEndian.writeInt(segment, at + PSN, psn);
        int rest = paths.pkey() << 16
                | (paths.mtu() & 0xf) << 12
                | (transport.rdcExists() ? 0x800 : 0)
                | (delivery.rnrRetries() & 7) << 8
                | (timing.cmRetries() & 0xf) << 4
                | (end.sharedReceives() ? 8 : 0)
                | (transport.extended() & 7);
        BigEndian.writeInt(segment, at + PKEY_TO_RETRIES, rest);
        paths.primary().write(segment, at + PRIMARY);
        paths.alternate().write(segment, at + ALTERNATE);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
