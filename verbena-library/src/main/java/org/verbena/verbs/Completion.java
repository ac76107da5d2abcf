package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.memory.Verdict;
import org.verbena.queue.Operation;
import org.verbena.queue.Status;

/**
 * What became of a work request.
 *
 * @param id the request's
 * @param status success, or why not
 * @param operation what was done
 * @param queuePair number of the queue pair
 * @param byteLength bytes of the message, where it succeeded
 * @param immediate the 32 bits that came with it, if any
 * @param invalidatedKey the key that the peer took back with it, if any
 * @param sourceQueuePair number of the queue pair that sent a datagram, whose {@link DatagramHeader} stands first in the
 *     receive; null for anything else
 * @param detail why memory of this side was refused; {@link Verdict#GRANTED} when that was not the reason
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
