package org.verbena.message;

import java.nio.ByteBuffer;

/** Answers the requests of a {@link RequestServer}. Called by many threads at once, unless the server's executor says otherwise. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Answers a request.
     *
     * @param request its bytes, in a buffer of the channel: valid until this method returns
     * @return the answer, from position to limit; belongs to the server from now on. It may be the request's own buffer, or a part of it
     * @throws Exception to answer with an error: the caller gets a {@link RemoteRequestException} with class and text
     */
    ByteBuffer handle(ByteBuffer request) throws Exception;
}
