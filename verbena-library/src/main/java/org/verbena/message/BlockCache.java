package org.verbena.message;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;

/** Registered memory for large messages, kept for the next one up to a number of bytes. Any thread. */
final class BlockCache {
    private static final long KEPT_BYTES_MAX = 64L << 20;
    private static final long GRAIN = 1 << 16;
    /** A kept block serves messages down to this part of its size. */
    private static final int WASTE = 4;

    /** Registered memory. */
    static final class Block {
        private final Arena arena;
        final MemorySegment memory;
        final Region region;

        Block(Arena arena, MemorySegment memory, Region region) {
            this.arena = arena;
            this.memory = memory;
            this.region = region;
        }

        private void free() {
            region.close();
            arena.close();
        }
    }

    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final Set<Right> rights;
    private final List<Block> kept = new ArrayList<>();
    private final List<Block> taken = new ArrayList<>();
    private long keptBytes;
    private boolean closed;

    BlockCache(Adapter adapter, ProtectionDomain domain, Set<Right> rights) {
        this.adapter = adapter;
        this.domain = domain;
        this.rights = rights;
    }

    /** Memory of at least this length. */
    Block take(long length) {
        Block block = takeKept(length);
        if (block == null) {
            block = make(length);
        }
        synchronized (this) {
            if (!closed) {
                taken.add(block);
                return block;
            }
        }
        block.free();
        throw new ChannelException("the channel is closed");
    }

    private synchronized @Nullable Block takeKept(long length) {
        for (int i = 0; i < kept.size(); i++) {
            long size = kept.get(i).memory.byteSize();
            if (size >= length && size / WASTE <= length) {
                keptBytes -= size;
                return kept.remove(i);
            }
        }
        return null;
    }

    private Block make(long length) {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate((length + GRAIN - 1) / GRAIN * GRAIN, 4096);
            return new Block(arena, memory, adapter.register(domain, memory, rights));
        } catch (RuntimeException | Error refused) {
            arena.close();
            throw refused;
        }
    }

    void give(Block block) {
        synchronized (this) {
            if (!taken.remove(block)) {
                return; // freed by close
            }
            long size = block.memory.byteSize();
            if (!closed && keptBytes + size <= KEPT_BYTES_MAX) {
                keptBytes += size;
                kept.add(block);
                return;
            }
        }
        block.free();
    }

    /** Frees all, blocks that are taken included: accesses to them throw from then on. */
    synchronized void close() {
        closed = true;
        kept.forEach(Block::free);
        kept.clear();
        taken.forEach(Block::free);
        taken.clear();
    }
}
