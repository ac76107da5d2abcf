package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.Region;
import org.verbena.verbs.QueuePair;

/** Memory of a large message that the peer reads: the consumer's own where that is possible, a copy otherwise. */
final class LargeSource {
    static final Set<Right> RIGHTS = EnumSet.of(Right.REMOTE_READ);

    private final Region region;
    private final BlockCache.@Nullable Block block;
    private final BlockCache blocks;

    private LargeSource(Region region, BlockCache.@Nullable Block block, BlockCache blocks) {
        this.region = region;
        this.block = block;
        this.blocks = blocks;
    }

    /** Registers the data in place if it is native and every thread may use it, and copies it otherwise. */
    static LargeSource of(QueuePair queuePair, MemorySegment data, BlockCache blocks) {
        if (data.isNative() && !data.isReadOnly() && MessageThreads.isShared(data)) {
            Region region = queuePair.adapter().register(queuePair.options().domain(), data, RIGHTS);
            return new LargeSource(region, null, blocks);
        }
        BlockCache.Block block = blocks.take(data.byteSize());
        MemorySegment.copy(data, 0, block.memory, 0, data.byteSize());
        return new LargeSource(block.region, block, blocks);
    }

    long address() {
        return region.address();
    }

    int key() {
        return region.key();
    }

    void release() {
        if (block != null) {
            blocks.give(block);
        } else {
            region.close();
        }
    }
}
