package org.verbena.memory.protection;

import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.EntryType;
import org.verbena.memory.MemoryKey;

/**
 * The changes of the table that a send queue or a peer makes: bind, invalidate, enable, register. Each is judged in the order of {@link
 * Verdict}; then one compare-and-set replaces the entry. A change that loses a race is judged again. No locks.
 */
final class EntryChanges {
    private final EntrySlots slots;

    EntryChanges(EntrySlots slots) {
        this.slots = slots;
    }

    Verdict bind(Accessor accessor, int windowKey, Binding binding) {
        while (true) {
            ProtectionEntry window = slots.at(MemoryKey.index(windowKey));
            if (window == null) {
                return absent(windowKey);
            }
            Verdict verdict = judgeWindow(accessor, window, windowKey, binding);
            if (verdict != Verdict.GRANTED) {
                return verdict;
            }
            ProtectionEntry region = slots.at(MemoryKey.index(binding.regionKey()));
            verdict = judgeRegion(accessor, region, binding);
            if (verdict != Verdict.GRANTED) {
                return verdict;
            }
            if (replace(window, after(window, region, accessor, binding))) {
                return Verdict.GRANTED;
            }
        }
    }

    private static ProtectionEntry after(
            ProtectionEntry window, @Nullable ProtectionEntry region, Accessor accessor, Binding binding) {
        return region == null || isUnbind(binding)
                ? window.unbound(binding.newKey())
                : window.bound(binding, region, accessor.queuePair);
    }

    /** Clauses C10-72, o10-37.2.30, o10-37.2.40. */
    private static Verdict judgeWindow(Accessor accessor, ProtectionEntry window, int key, Binding binding) {
        if (window.key != key) {
            return Verdict.WRONG_INSTANCE;
        }
        if (!window.type.isWindow() || accessor.right() != Right.BIND_WINDOW) {
            return Verdict.WRONG_TYPE;
        }
        if (window.domain != accessor.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        boolean type2 = window.type == EntryType.WINDOW_TYPE_2;
        if (type2 && window.state.isValid()) {
            return Verdict.ALREADY_VALID;
        }
        boolean stale = !type2 && binding.newKey() == key;
        if (stale || MemoryKey.index(binding.newKey()) != MemoryKey.index(key)) {
            return Verdict.KEY_MISMATCH;
        }
        return type2 && isUnbind(binding) ? Verdict.EMPTY_WINDOW : Verdict.GRANTED;
    }

    /** Clauses C10-73 to C10-75. */
    private Verdict judgeRegion(Accessor accessor, @Nullable ProtectionEntry region, Binding binding) {
        if (isUnbind(binding)) {
            return Verdict.GRANTED;
        }
        if (region == null) {
            return absent(binding.regionKey());
        }
        Verdict verdict = region.judge(accessor, binding.regionKey(), binding.address(), binding.length());
        if (verdict != Verdict.GRANTED) {
            return verdict;
        }
        int rights = binding.rights();
        boolean changes = (rights & Rights.REMOTE_CHANGE) != 0;
        boolean changeable = (region.rights & Right.LOCAL_WRITE.mask()) != 0;
        return (rights & ~Rights.REMOTE) != 0 || (changes && !changeable) ? Verdict.NO_RIGHT : Verdict.GRANTED;
    }

    Verdict invalidate(int key, Accessor accessor) {
        while (true) {
            ProtectionEntry entry = slots.at(MemoryKey.index(key));
            if (entry == null) {
                return absent(key);
            }
            Verdict verdict = judgeInvalidate(entry, key, accessor);
            if (verdict != Verdict.GRANTED || replace(entry, invalidated(entry))) {
                return verdict;
            }
        }
    }

    /** Granted also when the entry is invalid already: the result is the same. */
    private static Verdict judgeInvalidate(ProtectionEntry entry, int key, Accessor accessor) {
        if (entry.key != key) {
            return Verdict.WRONG_INSTANCE;
        }
        if (!entry.type.isInvalidatable()) {
            return Verdict.WRONG_TYPE;
        }
        if (entry.domain != accessor.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        boolean foreign = accessor.remote && entry.state.isValid() && entry.type == EntryType.WINDOW_TYPE_2;
        return foreign && entry.queuePair != accessor.queuePair ? Verdict.WRONG_QUEUE_PAIR : Verdict.GRANTED;
    }

    private static ProtectionEntry invalidated(ProtectionEntry entry) {
        return entry.type.isWindow() ? entry.unbound(entry.key) : entry.invalidated();
    }

    /** Touches an entry that is valid for one message, and was judged; invalidates it if another message has touched it. */
    Verdict touch(ProtectionEntry entry, long message) {
        if (entry.touch(message)) {
            return Verdict.GRANTED;
        }
        boolean _ =
                replace(entry, invalidated(entry)); // if it fails, another thread has invalidated or closed the entry
        return Verdict.TOUCHED;
    }

    /** Invalidates an entry that this message has touched. */
    void endTouch(int key, long message) {
        ProtectionEntry entry = slots.at(MemoryKey.index(key));
        if (entry != null && entry.key == key && entry.isTouchedBy(message)) {
            boolean _ = replace(entry, invalidated(entry));
        }
    }

    Verdict enable(int key, Accessor accessor, Touches touches) {
        while (true) {
            ProtectionEntry entry = slots.at(MemoryKey.index(key));
            if (entry == null) {
                return absent(key);
            }
            Verdict verdict = judgeEnable(entry, accessor);
            if (verdict != Verdict.GRANTED || replace(entry, entry.renewed(key, StateWord.valid(), touches))) {
                return verdict;
            }
        }
    }

    Verdict register(int key, Accessor accessor, MemoryRange range, Touches touches) {
        while (true) {
            ProtectionEntry entry = slots.at(MemoryKey.index(key));
            if (entry == null) {
                return absent(key);
            }
            Verdict verdict = judgeRegister(entry, accessor, range);
            if (verdict != Verdict.GRANTED || replace(entry, entry.registered(key, range, touches))) {
                return verdict;
            }
        }
    }

    private static Verdict judgeRegister(ProtectionEntry entry, Accessor accessor, MemoryRange range) {
        if (entry.type != EntryType.RESERVED_REGION || accessor.remote) {
            return Verdict.WRONG_TYPE;
        }
        if (!accessor.domain.admits(range.backing())) {
            return Verdict.WRONG_MEMORY_DOMAIN;
        }
        if (entry.domain != accessor.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        if (!range.backing().isAlive()) {
            return Verdict.BACKING_CLOSED;
        }
        if (range.pages() > entry.room()) {
            return Verdict.NO_ROOM;
        }
        return entry.state.isValid() ? Verdict.ALREADY_VALID : Verdict.GRANTED;
    }

    private static Verdict judgeEnable(ProtectionEntry entry, Accessor accessor) {
        if (entry.type != EntryType.RESERVED_REGION || accessor.remote) {
            return Verdict.WRONG_TYPE;
        }
        if (entry.domain != accessor.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        Verdict validity = entry.state.verdict();
        if (entry.room() > 0) {
            return Verdict.NO_MEMORY;
        }
        if (validity == Verdict.GRANTED) {
            return Verdict.ALREADY_VALID;
        }
        if (validity == Verdict.QUIESCED) {
            return validity;
        }
        return entry.isBackingAlive() ? Verdict.GRANTED : Verdict.BACKING_CLOSED;
    }

    /**
     * Unbinds the windows of type 2 that a queue pair has bound, because the queue pair ends and its number may be used
     * again.
     */
    void releaseQueuePair(Accessor accessor) {
        for (int index = 0; index < slots.usedLimit(); index++) {
            ProtectionEntry entry = slots.at(index);
            if (entry != null && entry.domain == accessor.domain && entry.queuePair == accessor.queuePair) {
                replace(entry, entry.unbound(entry.key));
            }
        }
    }

    /** Invalidates an entry, waits until no copy is inside, then replaces it. */
    private boolean replace(ProtectionEntry current, ProtectionEntry next) {
        current.retire();
        boolean replaced = slots.replace(MemoryKey.index(current.key), current, next);
        if (replaced) {
            current.onReplaced();
        }
        return replaced;
    }

    private static boolean isUnbind(Binding binding) {
        return binding.length() == 0;
    }

    Verdict absent(int key) {
        return slots.covers(MemoryKey.index(key)) ? Verdict.NO_ENTRY : Verdict.INDEX_OUT_OF_RANGE;
    }
}
