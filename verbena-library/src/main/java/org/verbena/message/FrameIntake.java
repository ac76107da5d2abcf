package org.verbena.message;

import java.lang.foreign.MemorySegment;

/**
 * Judges the frames of the peer and hands them to the two halves of the channel. A frame that the protocol does not allow is a
 * {@link ChannelException} with what was found and what was expected. Guarded by the channel's lock.
 */
final class FrameIntake {
    private final Inbound inbound;
    private final Outbound outbound;

    FrameIntake(Inbound inbound, Outbound outbound) {
        this.inbound = inbound;
        this.outbound = outbound;
    }

    /**
     * A frame has arrived.
     *
     * @return false if it is the last one: the peer closes its end
     */
    boolean onFrame(Slot slot, long byteLength) {
        if (byteLength < Frame.LENGTH) {
            throw new ChannelException(
                    "the peer sent a frame of " + byteLength + " bytes; the shortest has " + Frame.LENGTH);
        }
        MemorySegment frame = slot.buffer.segment();
        int kind = Frame.kind(frame);
        long length = byteLength - Frame.LENGTH;
        if (kind == Frame.HELLO || !outbound.isReady()) {
            onHello(slot, kind, length);
            return true;
        }
        requireBody(kind, length);
        outbound.onCredits(Frame.credits(frame));
        return switch (kind) {
            case Frame.DATA -> {
                inbound.onData(slot, length);
                yield true;
            }
            case Frame.ANNOUNCE -> {
                inbound.onAnnouncement(slot, Announcement.read(frame, Frame.LENGTH));
                yield true;
            }
            case Frame.DONE -> {
                outbound.onDone(Frame.tag(frame), (Frame.flags(frame) & Frame.FLAG_DROPPED) != 0);
                yield onControl(slot);
            }
            case Frame.WITHDRAW -> {
                if (inbound.reads().onWithdraw(Frame.tag(frame))) {
                    outbound.enqueueControl(Frame.DONE, Frame.FLAG_DROPPED, Frame.tag(frame));
                }
                yield onControl(slot);
            }
            case Frame.CREDIT -> onControl(slot);
            default -> false; // a farewell; its body was judged
        };
    }

    private boolean onControl(Slot slot) {
        inbound.onControl(slot);
        return true;
    }

    private void onHello(Slot slot, int kind, long length) {
        if (kind != Frame.HELLO) {
            throw new ChannelException("the first message of the peer is of kind " + kind + "; expected a hello ("
                    + Frame.HELLO + "): the peer has no message channel, or another one");
        }
        if (outbound.isReady()) {
            throw new ChannelException("the peer said hello twice");
        }
        if (length != Hello.LENGTH) {
            throw new ChannelException("the hello of the peer has " + length + " bytes; that of version "
                    + Frame.VERSION + " has " + Hello.LENGTH);
        }
        outbound.onHello(Hello.read(slot.buffer.segment(), Frame.LENGTH));
        inbound.onControl(slot);
    }

    /** Judges kind and length of a frame that is no hello. */
    private static void requireBody(int kind, long found) {
        int expected = switch (kind) {
            case Frame.DATA -> (int) found;
            case Frame.ANNOUNCE -> Announcement.LENGTH;
            case Frame.DONE, Frame.WITHDRAW, Frame.CREDIT, Frame.BYE -> 0;
            default ->
                throw new ChannelException("the peer sent a frame of unknown kind " + kind + "; version "
                        + Frame.VERSION + " has the kinds " + Frame.HELLO + " … " + Frame.BYE);
        };
        if (found != expected) {
            throw new ChannelException("the peer sent a frame of kind " + kind + " with a body of " + found
                    + " bytes; expected " + expected);
        }
    }
}
