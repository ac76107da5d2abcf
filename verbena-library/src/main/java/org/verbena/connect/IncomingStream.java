package org.verbena.connect;

import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamKind;

/**
 * A stream that came to a listener of iWARP and speaks another protocol, by {@link ListenerOptions#withOtherStreams}.
 *
 * @param kind what its first bytes tell; {@link StreamKind#PLAIN} also if the peer has sent nothing within the time limit of the negotiation
 * @param stream has all bytes that the peer sent. The consumer names its user or closes it; the user reads once without being told. All calls are
 *     on the engine's thread: {@link org.verbena.verbs.ManagementPort#call} leads there
 */
public record IncomingStream(StreamKind kind, ByteStream stream) {}
