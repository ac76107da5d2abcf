package org.verbena.verbs;

import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;

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
 * @param detail the reason for which local memory was refused; {@link Verdict#GRANTED} if no local memory was refused. A peer's refusal
 *     ({@code REMOTE_ACCESS_ERROR}) comes without a reason; the event of the peer's adapter has it ({@link AsyncEvent#detail})
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
        Verdict detail) {
    /** One line, for people: the parts that the completion has. */
    @Override
    public String toString() {
        var text = new StringBuilder("completion ").append(id).append(": ").append(operation);
        text.append(' ').append(status).append(", queue pair ").append(queuePair);
        if (status.success()) {
            text.append(", ").append(byteLength).append(" bytes");
        }
        if (immediate != null) {
            text.append(", immediate 0x").append(Integer.toHexString(immediate));
        }
        if (invalidatedKey != null) {
            text.append(", invalidated key ").append(MemoryKey.toString(invalidatedKey));
        }
        if (sourceQueuePair != null) {
            text.append(", from queue pair ").append(sourceQueuePair);
        }
        if (!detail.granted()) {
            text.append(", ").append(detail).append(": ").append(detail.reason());
        } else if (status == Status.REMOTE_ACCESS_ERROR) {
            text.append(", the peer's adapter has the reason: its event QUEUE_PAIR_ACCESS_ERROR");
        }
        return text.toString();
    }
}
