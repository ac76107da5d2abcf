package org.verbena.memory.hypervisor;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The guest physical pages that the host has evicted and the guest's driver has not been told of: one bit for each page. However slow
 * the driver is, no page is forgotten. A page that is evicted again before the driver is told is told once. Any thread adds pages; the
 * driver's calls take them.
 */
final class EvictedPages implements DriverCalls.Call {
    private final DriverCalls calls;
    /** One bit for each page. */
    private final AtomicLongArray pages;
    /** One bit for each word of {@link #pages} that may have a bit. */
    private final AtomicLongArray words;
    /** Whether a call of the driver is on its way. */
    private final AtomicBoolean called = new AtomicBoolean();

    private final AtomicLong told = new AtomicLong();
    private final AtomicLong merged = new AtomicLong();

    EvictedPages(DriverCalls calls, long physicalPages) {
        this.calls = calls;
        this.pages = new AtomicLongArray(wordsOf(physicalPages));
        this.words = new AtomicLongArray(wordsOf(pages.length()));
    }

    private static int wordsOf(long bits) {
        return Math.toIntExact((bits + Long.SIZE - 1) / Long.SIZE);
    }

    /** Pages that the driver was told of, and evictions that became part of an earlier one that it had not been told of. */
    EvictionNotices counts() {
        return new EvictionNotices(told.get(), merged.get());
    }

    /** A page was evicted: has the driver called, unless a call is on its way. */
    void add(long page) {
        int word = (int) (page / Long.SIZE);
        if ((set(pages, page) & bit(page)) != 0) {
            merged.getAndIncrement();
        }
        set(words, word);
        if (!called.get() && called.compareAndSet(false, true)) {
            calls.add(this);
        }
    }

    private static long set(AtomicLongArray bits, long index) {
        return bits.getAndAccumulate((int) (index / Long.SIZE), bit(index), (before, more) -> before | more);
    }

    private static long bit(long index) {
        return 1L << (index % Long.SIZE);
    }

    /** Tells the driver all pages, neighbours together. */
    @Override
    public void make(GuestDriver driver) {
        called.set(false); // an eviction from now on has another call made
        long first = 0;
        long count = 0;
        for (int i = 0; i < words.length(); i++) {
            for (long marked = words.getAndSet(i, 0); marked != 0; marked &= marked - 1) {
                int word = i * Long.SIZE + Long.numberOfTrailingZeros(marked);
                for (long bits = pages.getAndSet(word, 0); bits != 0; bits &= bits - 1) {
                    long page = (long) word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                    if (page != first + count) {
                        tell(driver, first, count);
                        first = page;
                        count = 0;
                    }
                    count++;
                }
            }
        }
        tell(driver, first, count);
    }

    private void tell(GuestDriver driver, long first, long count) {
        if (count == 0) {
            return;
        }
        told.getAndAdd(count);
        try {
            driver.onEvicted(first, count);
        } catch (Throwable thrown) { // of a driver that is not ours; the other pages are told all the same
            calls.onFailure(thrown);
        }
    }

    /** The driver cannot be called: the pages are told after the next eviction. */
    @Override
    public void onFailed() {
        called.set(false);
    }
}
