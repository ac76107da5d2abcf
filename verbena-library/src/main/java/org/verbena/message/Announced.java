package org.verbena.message;

import org.jspecify.annotations.Nullable;

/** The large messages of this end that the peer has not answered, by the numbers they are announced under. Guarded by the channel's lock. */
final class Announced {
    private final @Nullable Outgoing[] messages;
    private int count;
    private int most;

    Announced(int capacity) {
        this.messages = new @Nullable Outgoing[capacity];
    }

    /** The peer takes as many at once. */
    void onPeer(int largeMessages) {
        most = Math.min(messages.length, largeMessages);
    }

    boolean hasRoom() {
        return count < most;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Gives a message a number; {@link #hasRoom} was true. */
    int add(Outgoing message) {
        int number = 0;
        while (messages[number] != null) {
            number++;
        }
        messages[number] = message;
        message.number = number;
        count++;
        return number;
    }

    boolean contains(Outgoing message) {
        return message.number >= 0 && messages[message.number] == message;
    }

    /** The peer has answered a message: removes it. */
    Outgoing onDone(long number, boolean dropped) {
        Outgoing message = number < 0 || number >= messages.length ? null : messages[(int) number];
        if (message == null) {
            throw new ChannelException("the peer answered large message " + number + ", which is not announced");
        }
        if (dropped && !message.withdrawn) {
            throw new ChannelException("the peer dropped large message " + number + ", which was not withdrawn");
        }
        messages[(int) number] = null;
        count--;
        return message;
    }

    /** Removes a message; null when none is left. */
    @Nullable
    Outgoing removeAny() {
        for (int i = 0; i < messages.length; i++) {
            Outgoing message = messages[i];
            if (message != null) {
                messages[i] = null;
                count--;
                return message;
            }
        }
        return null;
    }
}
