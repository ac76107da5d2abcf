package org.verbena.message;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.QueuePair;

/** The queue pairs of a dispatcher, by their numbers. Any thread; a look-up neither locks nor allocates. */
final class Handlers {
    /** A queue pair that the dispatcher knows. */
    static final class Entry {
        final QueuePair queuePair;
        final ReentrantLock sends = new ReentrantLock();
        final ReentrantLock receives = new ReentrantLock();
        volatile @Nullable WorkHandler handler;
        /** Whether the queue pair has been in another state than RESET. */
        volatile boolean used;

        Entry(QueuePair queuePair) {
            this.queuePair = queuePair;
        }
    }

    /** The numbers of all queue pairs in ascending order, and their entries in the same order. Never changed. */
    private static final class Table {
        final int[] numbers;
        final Entry[] entries;

        Table(int[] numbers, Entry[] entries) {
            this.numbers = numbers;
            this.entries = entries;
        }
    }

    private volatile Table table = new Table(new int[0], new Entry[0]);

    @Nullable
    Entry find(int number) {
        Table now = table;
        int at = Arrays.binarySearch(now.numbers, number);
        return at < 0 ? null : now.entries[at];
    }

    /** The entry of a queue pair; replaces that of a former queue pair with its number. */
    synchronized Entry obtain(QueuePair queuePair) {
        Entry known = find(queuePair.number());
        if (known != null && known.queuePair == queuePair) {
            return known;
        }
        remove(queuePair.number());
        Entry entry = new Entry(queuePair);
        int at = -1 - Arrays.binarySearch(table.numbers, queuePair.number());
        int[] numbers = new int[table.numbers.length + 1];
        Entry[] entries = new Entry[numbers.length];
        System.arraycopy(table.numbers, 0, numbers, 0, at);
        System.arraycopy(table.entries, 0, entries, 0, at);
        System.arraycopy(table.numbers, at, numbers, at + 1, table.numbers.length - at);
        System.arraycopy(table.entries, at, entries, at + 1, table.entries.length - at);
        numbers[at] = queuePair.number();
        entries[at] = entry;
        table = new Table(numbers, entries);
        return entry;
    }

    /** Removes a queue pair; whether it was there. */
    synchronized boolean remove(Entry entry) {
        return find(entry.queuePair.number()) == entry && remove(entry.queuePair.number());
    }

    private boolean remove(int number) {
        int at = Arrays.binarySearch(table.numbers, number);
        if (at < 0) {
            return false;
        }
        int[] numbers = new int[table.numbers.length - 1];
        Entry[] entries = new Entry[numbers.length];
        System.arraycopy(table.numbers, 0, numbers, 0, at);
        System.arraycopy(table.entries, 0, entries, 0, at);
        System.arraycopy(table.numbers, at + 1, numbers, at, numbers.length - at);
        System.arraycopy(table.entries, at + 1, entries, at, numbers.length - at);
        table = new Table(numbers, entries);
        return true;
    }

    List<Entry> all() {
        return List.of(table.entries);
    }
}
