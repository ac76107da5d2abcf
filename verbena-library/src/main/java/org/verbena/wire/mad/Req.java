package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Request for communication (Table 106): one end asks for a connection.
 *
 * @param localId the sender's name for the connection
 * @param serviceId what it wants to connect to
 * @param localGuid of the sender's channel adapter
 * @param queuePair the sender's, 24 bits
 * @param responderResources reads and atomics the sender's responder keeps
 * @param initiatorDepth reads and atomics the sender wants to have outstanding
 * @param remoteResponseTimeout code of the time within which the receiver shall answer, 5 bits
 * @param transport service: 0 reliable, 1 unreliable connection
 * @param startingPsn with which the <em>receiver's</em> first packet shall come
 * @param localResponseTimeout code of the time within which the sender will answer, 5 bits
 * @param retries of the receiver's queue pair, 3 bits
 * @param mtu code of the path's MTU, 4 bits
 * @param rnrRetries of the receiver's queue pair, 3 bits
 * @param cmRetries how often a message is sent again, 4 bits
 * @param sharedReceives whether the queue pair takes receives from a shared queue
 */
public record Req(
        int localId,
        long serviceId,
        long localGuid,
        int qkey,
        int queuePair,
        int responderResources,
        int localEndToEndContext,
        int initiatorDepth,
        int remoteEndToEndContext,
        int remoteResponseTimeout,
        int transport,
        boolean flowControl,
        int startingPsn,
        int localResponseTimeout,
        int retries,
        int pkey,
        int mtu,
        boolean rdcExists,
        int rnrRetries,
        int cmRetries,
        boolean sharedReceives,
        int extendedTransport,
        CmPath primary,
        CmPath alternate,
        PrivateData privateData)
        implements CmMessage {
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
                BigEndian.readLong(segment, at + GUID),
                BigEndian.readInt(segment, at + QKEY),
                queuePair >>> 8,
                queuePair & 0xff,
                local >>> 8,
                local & 0xff,
                remote >>> 8,
                remote >>> 3 & 0x1f,
                remote >>> 1 & 3,
                (remote & 1) != 0,
                psn >>> 8,
                psn >>> 3 & 0x1f,
                psn & 7,
                rest >>> 16,
                rest >>> 12 & 0xf,
                (rest & 0x800) != 0,
                rest >>> 8 & 7,
                rest >>> 4 & 0xf,
                (rest & 8) != 0,
                rest & 7,
                CmPath.read(segment, at + PRIMARY),
                CmPath.read(segment, at + ALTERNATE),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeLong(segment, at + SERVICE, serviceId);
        BigEndian.writeLong(segment, at + GUID, localGuid);
        BigEndian.writeInt(segment, at + QKEY, qkey);
        BigEndian.writeInt(segment, at + QUEUE_PAIR, queuePair << 8 | (responderResources & 0xff));
        BigEndian.writeInt(segment, at + LOCAL_CONTEXT, localEndToEndContext << 8 | (initiatorDepth & 0xff));
        int remote = remoteEndToEndContext << 8
                | (remoteResponseTimeout & 0x1f) << 3
                | (transport & 3) << 1
                | (flowControl ? 1 : 0);
        BigEndian.writeInt(segment, at + REMOTE_CONTEXT, remote);
        BigEndian.writeInt(segment, at + PSN, startingPsn << 8 | (localResponseTimeout & 0x1f) << 3 | (retries & 7));
        int rest = pkey << 16
                | (mtu & 0xf) << 12
                | (rdcExists ? 0x800 : 0)
                | (rnrRetries & 7) << 8
                | (cmRetries & 0xf) << 4
                | (sharedReceives ? 8 : 0)
                | (extendedTransport & 7);
        BigEndian.writeInt(segment, at + PKEY_TO_RETRIES, rest);
        primary.write(segment, at + PRIMARY);
        alternate.write(segment, at + ALTERNATE);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
