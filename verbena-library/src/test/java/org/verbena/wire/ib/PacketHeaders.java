package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Copies the headers of a packet by way of their records, for tests: what no record knows is lost on the way. */
public final class PacketHeaders {
    private PacketHeaders() {}

    public static Opcode copy(MemorySegment source, MemorySegment target, long at) {
        Bth.read(source, at).write(target, at);
        Opcode opcode = Objects.requireNonNull(Opcode.of(Bth.opcode(source, at)));
        for (Extension extension : opcode.extensions()) {
            copy(extension, source, target, at + opcode.offsetOf(extension));
        }
        return opcode;
    }

    private static void copy(Extension extension, MemorySegment source, MemorySegment target, long at) {
        switch (extension) {
            case RDETH -> Rdeth.read(source, at).write(target, at);
            case DETH -> Deth.read(source, at).write(target, at);
            case XRCETH -> Xrceth.read(source, at).write(target, at);
            case FETH -> Feth.read(source, at).write(target, at);
            case RETH -> Reth.read(source, at).write(target, at);
            case ATOMIC_ETH -> AtomicEth.read(source, at).write(target, at);
            case AETH -> Aeth.read(source, at).write(target, at);
            case ATOMIC_ACK_ETH -> AtomicAckEth.read(source, at).write(target, at);
            case IMMDT -> ImmDt.read(source, at).write(target, at);
            case IETH -> Ieth.read(source, at).write(target, at);
            case CNP_RESERVED -> target.asSlice(at, extension.length()).fill((byte) 0);
        }
    }
}
