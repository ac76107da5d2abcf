package org.verbena.message;

/** The handler of a request at the peer has thrown an exception; the text of this one has its class and text. */
public final class RemoteRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RemoteRequestException(String text) {
        super(text);
    }

    RemoteRequestException(String text, RemoteRequestException cause) {
        super(text, cause);
    }
}
