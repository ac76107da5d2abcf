package org.verbena.message;

import java.lang.foreign.MemorySegment;

/**
 * Body of the first message of each end, big-endian: magic (4 bytes), version (4), receives (4), buffer size (4), large
 * messages (4), zeros (4), largest message (8).
 */
record Hello(int magic, int version, int receives, int bufferSize, int largeMessages, long messageMax) {
    static final int LENGTH = 32;
    static final int MAGIC = 0x56424d43;

    static Hello of(MessageOptions options) {
        return new Hello(
                MAGIC,
                Frame.VERSION,
                options.receives(),
                options.bufferSize(),
                options.largeMessages(),
                options.messageMax());
    }

    static Hello read(MemorySegment from, long at) {
        return new Hello(
                from.get(Frame.INT, at),
                from.get(Frame.INT, at + 4),
                from.get(Frame.INT, at + 8),
                from.get(Frame.INT, at + 12),
                from.get(Frame.INT, at + 16),
                from.get(Frame.LONG, at + 24));
    }

    void write(MemorySegment to, long at) {
        to.set(Frame.INT, at, magic);
        to.set(Frame.INT, at + 4, version);
        to.set(Frame.INT, at + 8, receives);
        to.set(Frame.INT, at + 12, bufferSize);
        to.set(Frame.INT, at + 16, largeMessages);
        to.set(Frame.INT, at + 20, 0);
        to.set(Frame.LONG, at + 24, messageMax);
    }

    /**
     * Judges what the peer said.
     *
     * @throws ChannelException if this end cannot talk to it
     */
    void judge() {
        if (magic != MAGIC) {
            throw new ChannelException(
                    "the peer does not speak the protocol of message channels: its first message begins with 0x"
                            + Integer.toHexString(magic));
        }
        if (version != Frame.VERSION) {
            throw new ChannelException(
                    "the peer speaks version " + version + " of message channels, this end version " + Frame.VERSION);
        }
        try {
            var _ = new MessageOptions(
                    bufferSize,
                    receives,
                    MessageOptions.DEFAULT.sends(),
                    largeMessages,
                    messageMax,
                    MessageOptions.DEFAULT.closeLimit());
        } catch (IllegalArgumentException wrong) {
            throw new ChannelException("the peer's sizes do not fit: " + wrong.getMessage(), wrong);
        }
    }
}
