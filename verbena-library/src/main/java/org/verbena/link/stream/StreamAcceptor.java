package org.verbena.link.stream;

/** Takes the streams that peers open to a {@link StreamListener}. */
public interface StreamAcceptor {
    /** A peer has opened a stream. The acceptor names its {@link ByteStream#user user} and what is wanted, or closes it. */
    void onStream(ByteStream stream);

    /**
     * The system could not give a stream: it has no descriptors left, for instance. The listener stays open and tries again later.
     *
     * @param detail the system's reason, for people
     */
    default void onRefused(String detail) {}
}
