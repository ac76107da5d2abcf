package org.verbena.adapter.reliable;

import static org.verbena.wire.ib.Opcode.*;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.queue.Operation;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Position;

/** Which opcode a packet of a request has, by operation and position in the message: the table of table 38's RC rows. */
final class RequestOpcodes {
    private static final int POSITIONS = Position.values().length;
    private static final @Nullable Opcode[] TABLE = table();

    private RequestOpcodes() {}

    /** The opcode; null where an operation has no packet at that position. */
    static @Nullable Opcode find(Operation operation, Position position) {
        return TABLE[operation.ordinal() * POSITIONS + position.ordinal()];
    }

    /** The opcode of a packet the requester knows to exist. */
    static Opcode of(Operation operation, Position position) {
        Opcode opcode = find(operation, position);
        assert opcode != null : operation + " has no packet " + position;
        return opcode;
    }

    private static @Nullable Opcode[] table() {
        var rows = new EnumMap<Operation, Opcode[]>(Operation.class);
        rows.put(Operation.SEND, message(RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST, RC_SEND_ONLY));
        rows.put(
                Operation.SEND_WITH_IMMEDIATE,
                message(RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST_WITH_IMMEDIATE, RC_SEND_ONLY_WITH_IMMEDIATE));
        rows.put(
                Operation.SEND_WITH_INVALIDATE,
                message(RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST_WITH_INVALIDATE, RC_SEND_ONLY_WITH_INVALIDATE));
        rows.put(
                Operation.WRITE,
                message(RC_RDMA_WRITE_FIRST, RC_RDMA_WRITE_MIDDLE, RC_RDMA_WRITE_LAST, RC_RDMA_WRITE_ONLY));
        rows.put(
                Operation.WRITE_WITH_IMMEDIATE,
                message(
                        RC_RDMA_WRITE_FIRST,
                        RC_RDMA_WRITE_MIDDLE,
                        RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                        RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE));
        rows.put(Operation.READ, new Opcode[] {RC_RDMA_READ_REQUEST});
        rows.put(Operation.FETCH_ADD, new Opcode[] {RC_FETCH_ADD});
        rows.put(Operation.COMPARE_SWAP, new Opcode[] {RC_COMPARE_SWAP});
        return flatten(rows);
    }

    private static Opcode[] message(Opcode first, Opcode middle, Opcode last, Opcode only) {
        return new Opcode[] {first, middle, last, only};
    }

    private static @Nullable Opcode[] flatten(Map<Operation, Opcode[]> rows) {
        var table = new @Nullable Opcode[Operation.values().length * POSITIONS];
        rows.forEach((operation, opcodes) -> {
            for (Opcode opcode : opcodes) {
                table[operation.ordinal() * POSITIONS + opcode.position().ordinal()] = opcode;
            }
        });
        return table;
    }
}
