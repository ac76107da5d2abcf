package org.verbena.adapter.ib.message;

import static org.verbena.wire.ib.Opcode.*;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Position;
import org.verbena.wire.ib.TransportService;

/**
 * Which opcode a packet of a request has, by operation and position in the message, and so which operations a service
 * has at all. Services differ in the upper bits of an opcode only (specification, table 38), and in the operations that they leave out.
 */
public final class RequestOpcodes {
    // Before the tables, which are made with them.
    private static final int POSITIONS = Position.values().length;
    private static final int SERVICE_SHIFT = 5;
    private static final int CODE_MASK = 0x1f;

    public static final RequestOpcodes RELIABLE = new RequestOpcodes(TransportService.RC);
    public static final RequestOpcodes UNRELIABLE = new RequestOpcodes(TransportService.UC);
    public static final RequestOpcodes DATAGRAM = new RequestOpcodes(TransportService.UD);

    private final @Nullable Opcode[] table = new @Nullable Opcode[Operation.values().length * POSITIONS];

    private RequestOpcodes(TransportService service) {
        rows().forEach((operation, opcodes) -> {
            for (Opcode reliable : opcodes) {
                table[operation.ordinal() * POSITIONS + reliable.position().ordinal()] =
                        Opcode.of(service.code() << SERVICE_SHIFT | (reliable.code() & CODE_MASK));
            }
        });
    }

    /** The opcode; null where an operation has no packet at that position. */
    public @Nullable Opcode find(Operation operation, Position position) {
        return table[operation.ordinal() * POSITIONS + position.ordinal()];
    }

    /** The opcode of a packet the requester knows to exist. */
    public Opcode of(Operation operation, Position position) {
        Opcode opcode = find(operation, position);
        assert opcode != null : operation + " has no packet " + position;
        return opcode;
    }

    /** Whether the service can do such a thing at all. */
    public boolean has(Operation operation) {
        return find(operation, Position.ONLY) != null;
    }

    private static Map<Operation, Opcode[]> rows() {
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
        rows.put(Operation.ATOMIC_WRITE, new Opcode[] {RC_ATOMIC_WRITE});
        return rows;
    }

    private static Opcode[] message(Opcode first, Opcode middle, Opcode last, Opcode only) {
        return new Opcode[] {first, middle, last, only};
    }
}
