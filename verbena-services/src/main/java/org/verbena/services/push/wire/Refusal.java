package org.verbena.services.push.wire;

import org.verbena.trace.CounterName;
import org.verbena.trace.Unit;

/**
 * Why a message, a transfer indication or a hello is refused. A refused one changes no memory. Each reason is the name of a counter. {@link Messages} and
 * the hellos find those that need no state, the messaging layer finds the others.
 */
public enum Refusal implements CounterName {
    /** Fewer bytes than a header, or than a hello. */
    TOO_SHORT("refused_too_short", "shorter than a header or a hello"),
    /** Another version than the one agreed. */
    WRONG_VERSION("refused_wrong_version", "another version than the one that was agreed"),
    /** No {@link MessageFunction} has the code. */
    UNKNOWN_FUNCTION("refused_unknown_function", "unknown function"),
    /** The length is not one that the function, or the size in the message, has. */
    BAD_LENGTH("refused_bad_length", "longer or shorter than its function and fields say"),
    /** A part of an update counts no elements, or more than the message has. */
    BAD_COUNT("refused_bad_count", "a part counts no elements, or more than the message has"),

    /** No pool of the connection has the reference. */
    UNKNOWN_POOL("refused_unknown_pool", "no pool has the reference"),
    /** The pool has fewer elements. */
    ELEMENT_OUT_OF_RANGE("refused_element_out_of_range", "the pool has no such element"),
    /** An indication of an element that the target has already. */
    ELEMENT_CONSUMED_TWICE("refused_element_consumed_twice", "the element is consumed already"),
    /** An update of an element that the initiator has still. */
    ELEMENT_NOT_CONSUMED("refused_element_not_consumed", "the element is not consumed"),
    /** A transfer of more bytes than an element, or data of more bytes than the receiver takes. */
    SIZE_TOO_LARGE("refused_size_too_large", "more bytes than an element or buffer has"),
    /** A pool is offered under a reference that another one has. */
    DUPLICATE_POOL("refused_duplicate_pool", "a pool has the reference already"),
    /** More pools than an end keeps. */
    TOO_MANY_POOLS("refused_too_many_pools", "more pools than the limit"),
    /** No elements, no bytes, more than the limit, or addresses beyond the highest one. */
    BAD_SHAPE("refused_bad_shape", "number, size or addresses of elements out of range"),
    /** A message that its sender, the channel or the state of the connection does not permit. */
    UNEXPECTED_MESSAGE("refused_unexpected_message", "not permitted on this channel, from this end or at this time"),
    /** A reply to no request. */
    UNKNOWN_CONTEXT("refused_unknown_context", "a reply whose context no request has"),

    /** Private data that are no hello. */
    WRONG_MARK("refused_wrong_mark", "private data without the mark of a hello"),
    /** A hello whose fields contradict each other or have codes without meaning. */
    BAD_HELLO("refused_bad_hello", "a hello with fields out of range"),
    /** No version is in the ranges of both ends. */
    NO_COMMON_VERSION("refused_no_common_version", "no version that both ends have"),
    /** A hello of channel 1 whose cookie no service connection has. */
    UNKNOWN_COOKIE("refused_unknown_cookie", "no service connection has the cookie");

    private final String label;
    private final String reason;

    Refusal(String label, String reason) {
        this.label = label;
        this.reason = reason;
    }

    @Override
    public Text text() {
        return new Text(label, Unit.MESSAGES, "Messages refused: " + reason);
    }

    @Override
    public String label() {
        return label;
    }

    /** The reason in words, without a full stop. */
    public String reason() {
        return reason;
    }
}
