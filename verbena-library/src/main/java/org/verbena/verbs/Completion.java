package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;

/**
 * The outcome of a work request. Immutable.
 *
 * @param id of the request
 * @param status success, or the kind of failure
 * @param operation of the request; {@code RECEIVE} or {@code RECEIVE_WRITE_WITH_IMMEDIATE} for a receive
 * @param queuePair number of the queue pair
 * @param byteLength bytes received, read or written to the peer; without meaning after a failure
 * @param immediate the 32 bits that came with the message; null if none came
 * @param invalidatedKey the key that the message invalidated; null if it invalidated none
 * @param sourceQueuePair number of the queue pair that sent a datagram, whose {@link DatagramHeader} stands first in the
 *     receive; null for any other completion
 * @param detail why local memory was refused; {@link Verdict#GRANTED} if that was not the reason of a failure
 */
public record Completion(
        long id,
        Status status,
        Operation operation,
        int queuePair,
        long byteLength,
        @Nullable Integer immediate,
        @Nullable Integer invalidatedKey,
        @Nullable Integer sourceQueuePair,
        Verdict detail) {}
