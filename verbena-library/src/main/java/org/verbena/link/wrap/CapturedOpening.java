package org.verbena.link.wrap;

import org.jspecify.annotations.Nullable;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamUser;

/** Stands between a network and the user of a stream that is being opened, so that the capture has the handshake. */
final class CapturedOpening implements StreamUser {
    private StreamUser user;
    private @Nullable CapturedStream stream;

    CapturedOpening(StreamUser user) {
        this.user = user;
    }

    void of(CapturedStream opened) {
        stream = opened;
    }

    /** Names the user that is told from now on. */
    void user(StreamUser other) {
        user = other;
    }

    @Override
    public void onConnected() {
        CapturedStream opened = stream;
        if (opened != null) {
            opened.onOpened(true);
        }
        user.onConnected();
    }

    @Override
    public void onFailed(StreamFailure why, String detail) {
        user.onFailed(why, detail);
    }

    @Override
    public void onReadable() {
        user.onReadable();
    }

    @Override
    public void onWritable() {
        user.onWritable();
    }
}
