package org.verbena.memory.protection;

import org.jspecify.annotations.Nullable;
import org.verbena.memory.Key;
import org.verbena.memory.Right;
import org.verbena.memory.Verdict;

/**
 * What a send queue or a peer may change in the table: bind, invalidate, enable. Decides in the order of
 * {@link Verdict}, then puts a new entry in the place of the old with one compare-and-set; whoever loses a race decides
 * again. No locks.
 */
final class EntryChanges {
    private final EntrySlots slots;

    EntryChanges(EntrySlots slots) {
        this.slots = slots;
    }

    Verdict bind(Accessor who, int windowKey, Binding binding) {
        while (true) {
            ProtectionEntry window = slots.at(Key.index(windowKey));
            if (window == null) {
                return absent(windowKey);
            }
            Verdict verdict = judgeWindow(who, window, windowKey, binding);
            if (verdict != Verdict.GRANTED) {
                return verdict;
            }
            ProtectionEntry region = slots.at(Key.index(binding.regionKey()));
            verdict = judgeRegion(who, region, binding);
            if (verdict != Verdict.GRANTED) {
                return verdict;
            }
            if (replace(window, after(window, region, who, binding))) {
                return Verdict.GRANTED;
            }
        }
    }

    private static ProtectionEntry after(
            ProtectionEntry window, @Nullable ProtectionEntry region, Accessor who, Binding binding) {
        return region == null || isUnbind(binding)
                ? window.unbound(binding.newKey())
                : window.bound(binding, region, who.queuePair);
    }

    /** Clauses C10-72, o10-37.2.30, o10-37.2.40. */
    private static Verdict judgeWindow(Accessor who, ProtectionEntry window, int key, Binding binding) {
        if (window.key != key) {
            return Verdict.WRONG_INSTANCE;
        }
        if (!window.type.isWindow() || who.right() != Right.BIND_WINDOW) {
            return Verdict.WRONG_TYPE;
        }
        if (window.domain != who.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        boolean type2 = window.type == EntryType.WINDOW_TYPE_2;
        if (type2 && window.state.isValid()) {
            return Verdict.ALREADY_VALID;
        }
        boolean stale = !type2 && binding.newKey() == key;
        if (stale || Key.index(binding.newKey()) != Key.index(key)) {
            return Verdict.KEY_MISMATCH;
        }
        return type2 && isUnbind(binding) ? Verdict.EMPTY_WINDOW : Verdict.GRANTED;
    }

    /** Clauses C10-73 to C10-75. */
    private Verdict judgeRegion(Accessor who, @Nullable ProtectionEntry region, Binding binding) {
        if (isUnbind(binding)) {
            return Verdict.GRANTED;
        }
        if (region == null) {
            return absent(binding.regionKey());
        }
        Verdict verdict = region.judge(who, binding.regionKey(), binding.address(), binding.length());
        if (verdict != Verdict.GRANTED) {
            return verdict;
        }
        int rights = Right.mask(binding.rights());
        boolean changes = (rights & Rights.REMOTE_CHANGE) != 0;
        boolean changeable = (region.rights & Right.LOCAL_WRITE.mask()) != 0;
        return (rights & ~Rights.REMOTE) != 0 || (changes && !changeable) ? Verdict.NO_RIGHT : Verdict.GRANTED;
    }

    Verdict invalidate(int key, Accessor who) {
        while (true) {
            ProtectionEntry entry = slots.at(Key.index(key));
            if (entry == null) {
                return absent(key);
            }
            Verdict verdict = judgeInvalidate(entry, key, who);
            if (verdict != Verdict.GRANTED || replace(entry, invalidated(entry))) {
                return verdict;
            }
        }
    }

    /** Granted also when the entry is invalid already: the outcome is the one that was asked for. */
    private static Verdict judgeInvalidate(ProtectionEntry entry, int key, Accessor who) {
        if (entry.key != key) {
            return Verdict.WRONG_INSTANCE;
        }
        if (!entry.type.isInvalidatable()) {
            return Verdict.WRONG_TYPE;
        }
        if (entry.domain != who.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        boolean foreign = who.remote && entry.state.isValid() && entry.type == EntryType.WINDOW_TYPE_2;
        return foreign && entry.queuePair != who.queuePair ? Verdict.WRONG_QUEUE_PAIR : Verdict.GRANTED;
    }

    private static ProtectionEntry invalidated(ProtectionEntry entry) {
        return entry.type.isWindow() ? entry.unbound(entry.key) : entry.renewed(entry.key, StateWord.invalid());
    }

    Verdict enable(int key, Accessor who) {
        while (true) {
            ProtectionEntry entry = slots.at(Key.index(key));
            if (entry == null) {
                return absent(key);
            }
            Verdict verdict = judgeEnable(entry, who);
            if (verdict != Verdict.GRANTED || replace(entry, entry.renewed(key, StateWord.valid()))) {
                return verdict;
            }
        }
    }

    private static Verdict judgeEnable(ProtectionEntry entry, Accessor who) {
        if (entry.type != EntryType.RESERVED_REGION || who.remote) {
            return Verdict.WRONG_TYPE;
        }
        if (entry.domain != who.domain) {
            return Verdict.WRONG_DOMAIN;
        }
        Verdict validity = entry.state.verdict();
        if (validity == Verdict.GRANTED) {
            return Verdict.ALREADY_VALID;
        }
        if (validity == Verdict.QUIESCED) {
            return validity;
        }
        return entry.isBackingAlive() ? Verdict.GRANTED : Verdict.BACKING_CLOSED;
    }

    /** Shuts the windows of type 2 that a queue pair has bound: it is going away, its number may come again. */
    void releaseQueuePair(Accessor who) {
        for (int index = 0; index < slots.usedLimit(); index++) {
            ProtectionEntry entry = slots.at(index);
            if (entry != null && entry.domain == who.domain && entry.queuePair == who.queuePair) {
                replace(entry, entry.unbound(entry.key));
            }
        }
    }

    /** Invalidate, wait until nobody is inside, then change. */
    private boolean replace(ProtectionEntry current, ProtectionEntry next) {
        current.retire();
        return slots.replace(Key.index(current.key), current, next);
    }

    private static boolean isUnbind(Binding binding) {
        return binding.length() == 0;
    }

    Verdict absent(int key) {
        return slots.covers(Key.index(key)) ? Verdict.NO_ENTRY : Verdict.INDEX_OUT_OF_RANGE;
    }
}
