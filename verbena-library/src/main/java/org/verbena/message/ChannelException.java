package org.verbena.message;

import org.jspecify.annotations.Nullable;

/**
 * A channel cannot carry messages any more: it was closed, the peer closed it, the connection failed, or the two ends do not
 * fit. The text has the reason. Every later call of the channel ends in the same way.
 */
public final class ChannelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ChannelException(String text) {
        super(text);
    }

    ChannelException(@Nullable String text, @Nullable Throwable cause) {
        super(text, cause);
    }
}
