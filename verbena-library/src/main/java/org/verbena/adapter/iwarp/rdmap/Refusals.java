package org.verbena.adapter.iwarp.rdmap;

import org.verbena.Verdict;
import org.verbena.wire.iwarp.TerminateCode;

/** The reason that a peer is told when the protection table refuses its access: tables, a column for each kind of access. */
public final class Refusals {
    private Refusals() {}

    /** A write or a read response: DDP finds the error, but for rights, which it does not have. */
    public static TerminateCode ofTagged(Verdict verdict) {
        return switch (kind(verdict)) {
            case KEY -> TerminateCode.DDP_INVALID_STAG;
            case OWNER -> TerminateCode.DDP_STAG_NOT_ASSOCIATED;
            case WRAP -> TerminateCode.DDP_OFFSET_WRAP;
            case BOUNDS -> TerminateCode.DDP_BASE_OR_BOUNDS;
            case RIGHT -> TerminateCode.RDMAP_ACCESS_RIGHTS;
            case ALIGNMENT, MEMORY -> TerminateCode.RDMAP_CATASTROPHIC_STREAM;
        };
    }

    /** The source of a read, or the target of an atomic: RDMAP finds the error. It has no code for an atomic that is not aligned: no key, bound or right is wrong. */
    public static TerminateCode ofRequest(Verdict verdict) {
        return switch (kind(verdict)) {
            case KEY -> TerminateCode.RDMAP_INVALID_STAG;
            case OWNER -> TerminateCode.RDMAP_STAG_NOT_ASSOCIATED;
            case WRAP -> TerminateCode.RDMAP_OFFSET_WRAP;
            case BOUNDS -> TerminateCode.RDMAP_BASE_OR_BOUNDS;
            case RIGHT -> TerminateCode.RDMAP_ACCESS_RIGHTS;
            case ALIGNMENT -> TerminateCode.RDMAP_OPERATION_UNSPECIFIED;
            case MEMORY -> TerminateCode.RDMAP_CATASTROPHIC_STREAM;
        };
    }

    private enum Kind {
        KEY,
        OWNER,
        WRAP,
        BOUNDS,
        RIGHT,
        ALIGNMENT,
        MEMORY
    }

    private static Kind kind(Verdict verdict) {
        return switch (verdict) {
            case WRONG_MEMORY_DOMAIN, WRONG_DOMAIN, WRONG_QUEUE_PAIR -> Kind.OWNER;
            case WRAPS_AROUND -> Kind.WRAP;
            case OUT_OF_BOUNDS -> Kind.BOUNDS;
            case NO_RIGHT, WINDOWS_ONLY -> Kind.RIGHT;
            case MISALIGNED -> Kind.ALIGNMENT;
            case NOT_RESIDENT, PAGE_LOST, TOO_MANY_PAGES, NO_SUCH_ADDRESS -> Kind.MEMORY;
            case BACKING_CLOSED,
                    INDEX_OUT_OF_RANGE,
                    NO_ENTRY,
                    WRONG_INSTANCE,
                    QUIESCED,
                    INVALID,
                    WRONG_TYPE,
                    REGION_INVALID,
                    TOUCHED -> Kind.KEY;
            case GRANTED, NOT_ENABLED, NO_MEMORY, NO_ROOM, ALREADY_VALID, KEY_MISMATCH, EMPTY_WINDOW ->
                throw new AssertionError(verdict + " is no refusal of an access");
        };
    }
}
