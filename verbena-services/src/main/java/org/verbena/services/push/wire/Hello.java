package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;

/**
 * The private data of a connect request. Numbers of models, uses and attributes are codes, whose meaning the layer above knows.
 *
 * @param lowest version that the sender speaks, 16 bits
 * @param highest version that the sender speaks, 16 bits
 * @param channel {@link #CONTROL} or {@link #DATA}
 * @param model transfer model: 0 push-push, 1 push-pull, 2 pull-pull
 * @param use of the data channel: 0 there is none, 1 sends, 2 RDMA
 * @param attributes bits {@link #CONTROL_ACKNOWLEDGED} … {@link #DATA_CONNECTED}
 * @param messageBytesMax bytes of a message that the sender takes at most
 * @param cookie of the service connection
 * @param queuePair number of the sender's queue pair of an unconnected data channel; else 0
 * @param qkey its Q_Key; else 0
 * @param port UDP port of the sender's adapter, for an unconnected data channel; else 0
 */
public record Hello(
        int lowest,
        int highest,
        int channel,
        int model,
        int use,
        int attributes,
        int messageBytesMax,
        long cookie,
        int queuePair,
        int qkey,
        int port) {
    /** Bytes on the wire. */
    public static final int LENGTH = 34;
    /** Bytes of a message that every end takes. */
    public static final int MESSAGE_BYTES_MIN = 256;
    /** "VPsh": the first bytes of every hello and reply. */
    public static final int MARK = 0x5650_7368;

    /** Channel 0. */
    public static final int CONTROL = 0;
    /** Channel 1. */
    public static final int DATA = 1;

    /** Both ends write. */
    public static final int MODEL_PUSH_PUSH = 0;
    /** The highest code of a model. */
    public static final int MODEL_MAX = 2;

    /** There is no data channel. */
    public static final int USE_NONE = 0;
    /** RDMA on the data channel: the highest code of a use. */
    public static final int USE_RDMA = 2;

    /** Channel 0 is acknowledged. */
    public static final int CONTROL_ACKNOWLEDGED = 1;
    /** Channel 0 is connected. */
    public static final int CONTROL_CONNECTED = 2;
    /** Channel 1 is acknowledged. */
    public static final int DATA_ACKNOWLEDGED = 4;
    /** Channel 1 is connected. */
    public static final int DATA_CONNECTED = 8;

    private static final int ATTRIBUTES_ALL = 15;

    private static final int LOWEST_AT = 4;
    private static final int HIGHEST_AT = 6;
    private static final int CHANNEL_AT = 8;
    private static final int MODEL_AT = 9;
    private static final int USE_AT = 10;
    private static final int ATTRIBUTES_AT = 11;
    private static final int MESSAGE_BYTES_MAX_AT = 12;
    private static final int COOKIE_AT = 16;
    private static final int QUEUE_PAIR_AT = 24;
    private static final int QKEY_AT = 28;
    private static final int PORT_AT = 32;

    /**
     * Judges received private data. They may be longer than a hello: their field is filled up with zeros.
     *
     * @return null if {@link #read} can read them
     */
    public static @Nullable Refusal judge(PrivateData data) {
        if (data.length() < LENGTH) {
            return Refusal.TOO_SHORT;
        }
        MemorySegment bytes = MemorySegment.ofArray(data.bytes());
        return BigEndian.readInt(bytes, 0) != MARK
                ? Refusal.WRONG_MARK
                : read(bytes, 0).judge();
    }

    private @Nullable Refusal judge() {
        boolean inRange = lowest > 0
                && lowest <= highest
                && channel <= DATA
                && model <= MODEL_MAX
                && use <= USE_RDMA
                && (attributes & ~ATTRIBUTES_ALL) == 0
                && messageBytesMax >= MESSAGE_BYTES_MIN;
        return inRange && fieldsAgree() ? null : Refusal.BAD_HELLO;
    }

    /** Whether both channels can have their attributes, and data can go as model and use say. */
    private boolean fieldsAgree() {
        boolean dataAcknowledged = has(DATA_ACKNOWLEDGED);
        boolean dataConnected = has(DATA_CONNECTED);
        if (!has(CONTROL_CONNECTED) || (dataAcknowledged && !dataConnected)) {
            return false;
        }
        return switch (use) {
            case USE_NONE -> channel == CONTROL;
            case USE_RDMA ->
                has(CONTROL_ACKNOWLEDGED) && dataConnected && (model == MODEL_PUSH_PUSH || dataAcknowledged);
            default -> true;
        };
    }

    private boolean has(int attribute) {
        return (attributes & attribute) != 0;
    }

    /** Reads private data that {@link #judge} accepts. */
    public static Hello read(PrivateData data) {
        return read(MemorySegment.ofArray(data.bytes()), 0);
    }

    /** Reads the hello at {@code at}. */
    static Hello read(MemorySegment segment, long at) {
        return new Hello(
                BigEndian.readShort(segment, at + LOWEST_AT),
                BigEndian.readShort(segment, at + HIGHEST_AT),
                BigEndian.readByte(segment, at + CHANNEL_AT),
                BigEndian.readByte(segment, at + MODEL_AT),
                BigEndian.readByte(segment, at + USE_AT),
                BigEndian.readByte(segment, at + ATTRIBUTES_AT),
                BigEndian.readInt(segment, at + MESSAGE_BYTES_MAX_AT),
                BigEndian.readLong(segment, at + COOKIE_AT),
                BigEndian.readInt(segment, at + QUEUE_PAIR_AT),
                BigEndian.readInt(segment, at + QKEY_AT),
                BigEndian.readShort(segment, at + PORT_AT));
    }

    /** Writes the hello at {@code at}. */
    void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, MARK);
        BigEndian.writeShort(segment, at + LOWEST_AT, lowest);
        BigEndian.writeShort(segment, at + HIGHEST_AT, highest);
        BigEndian.writeByte(segment, at + CHANNEL_AT, channel);
        BigEndian.writeByte(segment, at + MODEL_AT, model);
        BigEndian.writeByte(segment, at + USE_AT, use);
        BigEndian.writeByte(segment, at + ATTRIBUTES_AT, attributes);
        BigEndian.writeInt(segment, at + MESSAGE_BYTES_MAX_AT, messageBytesMax);
        BigEndian.writeLong(segment, at + COOKIE_AT, cookie);
        BigEndian.writeInt(segment, at + QUEUE_PAIR_AT, queuePair);
        BigEndian.writeInt(segment, at + QKEY_AT, qkey);
        BigEndian.writeShort(segment, at + PORT_AT, port);
    }

    /** The hello as private data. */
    public PrivateData privateData() {
        byte[] bytes = new byte[LENGTH];
        write(MemorySegment.ofArray(bytes), 0);
        return PrivateData.of(bytes);
    }

    /** The highest version that both this code and a peer with this range speak; 0 if there is none: {@link Refusal#NO_COMMON_VERSION}. */
    public static int negotiate(int lowest, int highest) {
        return negotiate(Messages.VERSION_LOWEST, Messages.VERSION_HIGHEST, lowest, highest);
    }

    /** The highest version in both ranges; 0 if there is none. */
    static int negotiate(int ownLowest, int ownHighest, int lowest, int highest) {
        int common = Math.min(ownHighest, highest);
        return common >= Math.max(ownLowest, lowest) ? common : 0;
    }
}
