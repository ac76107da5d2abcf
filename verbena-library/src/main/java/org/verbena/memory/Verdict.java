package org.verbena.memory;

/**
 * The answer to an access or to a change of an entry. The constants stand in the order of the checks: where several
 * would fail, the first one is the answer.
 */
public enum Verdict {
    GRANTED("access granted"),

    INDEX_OUT_OF_RANGE("the key's index is beyond the protection table"),
    NO_ENTRY("no entry at the key's index"),
    WRONG_INSTANCE("the key's instance is not the entry's: the key is stale or made up"),
    QUIESCED("the region is quiesced, its memory may be swapped out"),
    INVALID("the entry is not valid: invalidated, not yet enabled, or a window that is not bound"),
    WRONG_TYPE("an entry of this type does not serve this kind of access"),
    WINDOWS_ONLY("peers may use keys of windows only in this protection domain"),
    WRONG_DOMAIN("the entry belongs to another protection domain"),
    WRONG_QUEUE_PAIR("the window is bound to another queue pair"),
    WRAPS_AROUND("address and length wrap around the end of the address space"),
    OUT_OF_BOUNDS("not all of the range lies within the entry"),
    NO_RIGHT("the entry does not grant this right"),
    REGION_INVALID("the region behind the window is no longer valid"),
    MISALIGNED("an atomic needs an address divisible by 8"),
    BACKING_CLOSED("the memory behind the entry was closed by its owner"),
    NOT_RESIDENT("a page of the range is not in machine memory now: a page fault"),
    PAGE_LOST("a page of the range cannot be brought in: the page store has lost it"),
    TOO_MANY_PAGES("the access needs more pages at one time than may be kept in machine memory for it"),
    NO_SUCH_ADDRESS("the driver of the guest knows no memory at this address"),

    ALREADY_VALID("the entry is valid already: invalidate it first"),
    KEY_MISMATCH("the new key does not fit: another index, or an instance that does not change"),
    EMPTY_WINDOW("a type 2 window cannot be bound to nothing: invalidate it");

    private final String reason;

    Verdict(String reason) {
        this.reason = reason;
    }

    /** Whether it was allowed, and thus done. */
    public boolean granted() {
        return this == GRANTED;
    }

    /** One sentence for people. */
    public String reason() {
        return reason;
    }
}
