package org.verbena.memory.registration;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.memory.protection.ForeignMemory;

/** Segments of consumers: which of them can be registered, and the pages around them. */
public final class Buffers {
    private Buffers() {}

    /**
     * Checks that an adapter can use a segment where it is.
     *
     * @throws IllegalArgumentException if it is on the heap, confined to a thread, or beyond the addresses of a process
     * @throws IllegalStateException if its arena is closed
     */
    public static void requireUsable(MemorySegment buffer) {
        if (!buffer.isNative()) {
            throw refusal(
                    buffer,
                    "it is on the heap, where the garbage collector moves it. Allocate it from an arena (Adapter.arena()), or have it copied"
                            + " (LocalSegment.copied, Payload.copied)");
        }
        if (!buffer.scope().isAlive()) {
            throw new IllegalStateException("the arena of a buffer of " + buffer.byteSize() + " bytes is closed");
        }
        if (!ForeignMemory.isShared(buffer)) {
            throw refusal(
                    buffer,
                    "its arena is confined to one thread, and the adapter's thread is another. Use Adapter.arena(), a shared or an automatic arena");
        }
        if (Long.compareUnsigned(buffer.address(), PageTree.ADDRESS_LIMIT) >= 0
                || buffer.byteSize() > PageTree.ADDRESS_LIMIT - buffer.address()) {
            throw refusal(buffer, "it ends beyond the addresses of a process");
        }
    }

    /** A segment that is a target, and may not be written to. */
    static IllegalArgumentException readOnly(MemorySegment buffer) {
        return new IllegalArgumentException("a read-only segment of " + buffer.byteSize()
                + " bytes can be sent from, not received into; use the writable segment");
    }

    private static IllegalArgumentException refusal(MemorySegment buffer, String found) {
        return new IllegalArgumentException(
                "an adapter cannot use a buffer of " + buffer.byteSize() + " bytes where it is: " + found);
    }

    /** Memory of the same scope from another address on: alive as long as the buffer, and read-only if the buffer is. */
    @SuppressWarnings("restricted") // the pages around memory that the consumer has named
    static MemorySegment extend(MemorySegment buffer, long address, long length) {
        MemorySegment extended =
                MemorySegment.ofAddress(address).reinterpret(length, new ScopeOnly(buffer.scope()), null);
        return buffer.isReadOnly() ? extended.asReadOnly() : extended;
    }

    /** The arena of a scope, as far as a segment needs it. */
    private record ScopeOnly(MemorySegment.Scope scope) implements Arena {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            throw new UnsupportedOperationException("the arena belongs to the consumer");
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("the arena belongs to the consumer");
        }
    }
}
