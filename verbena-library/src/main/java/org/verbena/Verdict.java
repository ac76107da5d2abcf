package org.verbena;

/**
 * The answer to an access or to a change of an entry. The constants stand in the order of the checks: where several
 * would fail, the first one is the answer.
 */
public enum Verdict {
    GRANTED(0, "access granted"),

    INDEX_OUT_OF_RANGE(1, "the key's index is beyond the protection table"),
    NO_ENTRY(2, "no entry at the key's index"),
    WRONG_INSTANCE(3, "the key's instance is not the entry's: the key is stale or made up"),
    QUIESCED(4, "the region is quiesced, its memory may be swapped out"),
    INVALID(5, "the entry is not valid: invalidated, not yet enabled, or a window that is not bound"),
    WRONG_TYPE(6, "an entry of this type does not serve this kind of access"),
    WINDOWS_ONLY(7, "peers may use keys of windows only in this protection domain"),
    WRONG_MEMORY_DOMAIN(24, "the memory belongs to another domain than the protection domain is bound to"),
    WRONG_DOMAIN(8, "the entry belongs to another protection domain"),
    WRONG_QUEUE_PAIR(9, "the window is bound to another queue pair"),
    WRAPS_AROUND(10, "address and length wrap around the end of the address space"),
    OUT_OF_BOUNDS(11, "not all of the range lies within the entry"),
    NO_RIGHT(12, "the entry does not grant this right"),
    REGION_INVALID(13, "the region behind the window is no longer valid"),
    MISALIGNED(14, "an atomic needs an address divisible by 8"),
    TOUCHED(23, "the entry is valid for one message, and another one has touched it"),
    BACKING_CLOSED(15, "the memory behind the entry was closed by its owner"),
    NOT_RESIDENT(16, "a page of the range is not in machine memory now: a page fault"),
    PAGE_LOST(17, "a page of the range cannot be brought in: the page store has lost it"),
    TOO_MANY_PAGES(18, "the access needs more pages at one time than may be kept in machine memory for it"),
    NO_SUCH_ADDRESS(19, "the driver of the guest knows no memory at this address"),

    NOT_ENABLED(25, "the queue pair takes no registrations"),
    NO_MEMORY(26, "the key has no memory: the registration must bring it"),
    NO_ROOM(27, "the memory has more pages than the key has room for"),
    ALREADY_VALID(20, "the entry is valid already: invalidate it first"),
    KEY_MISMATCH(21, "the new key does not fit: another index, or an instance that does not change"),
    EMPTY_WINDOW(22, "a type 2 window cannot be bound to nothing: invalidate it");

    private static final Verdict[] BY_CODE = byCode();
    private final int code;
    private final String reason;

    Verdict(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    private static Verdict[] byCode() {
        Verdict[] table = new Verdict[values().length];
        for (Verdict verdict : values()) {
            table[verdict.code] = verdict;
        }
        return table;
    }

    /** The number that stands for it in a completion ring. Another process may read it: it never changes. */
    public int code() {
        return code;
    }

    /**
     * The verdict that stands as {@code code} in a completion ring.
     *
     * @throws IllegalArgumentException if there is none: the ring's memory was overwritten
     */
    public static Verdict of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("a completion ring holds verdict " + code + ", which stands for none");
        }
        return BY_CODE[code];
    }

    /** Whether the access or change was allowed. */
    public boolean granted() {
        return this == GRANTED;
    }

    /** The reason in one sentence, for people. */
    public String reason() {
        return reason;
    }
}
