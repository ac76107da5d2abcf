package org.verbena.adapter.ib.reliable;

import org.verbena.Mtu;
import org.verbena.exchange.Mischief;
import org.verbena.exchange.PagedWorld;
import org.verbena.memory.hypervisor.PagingProbe;

/** One cell of the matrix of faults: the operation, the state of the memory, the place of the fault, and the fault of the network. */
record MatrixCell(Deed deed, PagingProbe.Where state, Place place, Mtu mtu, Mischief.Victim victim, Mischief.Act act) {
    static final int PAGE = PagedWorld.PAGE;
    /** Requests of a deed that is one of 8 bytes. */
    static final int ATOMICS = 3;

    /** The operation, and the end at which pages are missing. */
    enum Deed {
        SEND,
        SEND_WITH_IMMEDIATE,
        SEND_WITH_INVALIDATE,
        WRITE,
        WRITE_WITH_IMMEDIATE,
        READ,
        READ_INTO_COLD,
        FETCH_ADD,
        COMPARE_SWAP,
        ATOMIC_WRITE,
        FETCH_ADD_INTO_COLD,
        SEND_FROM_COLD,
        WRITE_FROM_COLD;

        boolean isAtomic() {
            return this == FETCH_ADD || this == COMPARE_SWAP || this == ATOMIC_WRITE || this == FETCH_ADD_INTO_COLD;
        }

        boolean isRead() {
            return this == READ || this == READ_INTO_COLD;
        }

        boolean isSend() {
            return this == SEND
                    || this == SEND_WITH_IMMEDIATE
                    || this == SEND_WITH_INVALIDATE
                    || this == SEND_FROM_COLD;
        }

        boolean takesReceive() {
            return isSend() || this == WRITE_WITH_IMMEDIATE;
        }

        /** The requester's own pages are missing: no packet shows it. */
        boolean isAtClient() {
            return this == READ_INTO_COLD
                    || this == FETCH_ADD_INTO_COLD
                    || this == SEND_FROM_COLD
                    || this == WRITE_FROM_COLD;
        }

        /** A missing page that it overwrites whole need not be brought in. */
        boolean overwrites() {
            return this == WRITE || this == WRITE_WITH_IMMEDIATE || this == READ_INTO_COLD;
        }
    }

    /** Which packet meets the missing page; of three atomics, which one. */
    enum Place {
        FIRST,
        MIDDLE,
        LAST,
        /** A packet whose first bytes go to a page that is present. */
        STRADDLING,
        /** All pages are missing. */
        ALL
    }

    /** Bytes of a message: four packets and a half. */
    int length() {
        return mtu.bytes() * 9 / 2;
    }

    /** Where a message begins in its pages. */
    int start() {
        boolean small = mtu.bytes() < PAGE;
        return switch (place) {
            case FIRST, ALL -> 100;
            case MIDDLE -> small ? PAGE - 2 * mtu.bytes() : 100;
            case LAST -> 0;
            case STRADDLING -> small ? PAGE - mtu.bytes() * 3 / 2 : 512;
        };
    }

    private int lastPage() {
        return deed.isAtomic() ? ATOMICS - 1 : (start() + length() - 1) / PAGE;
    }

    boolean isMissing(int page) {
        return switch (place) {
            case FIRST -> page == 0;
            case MIDDLE -> page == (deed.isAtomic() || mtu.bytes() < PAGE ? 1 : 2);
            case LAST -> page == lastPage();
            case STRADDLING -> deed.isAtomic() ? page < 2 : page == lastPage();
            case ALL -> page <= lastPage();
        };
    }

    /** Where the eight bytes of an atomic are: those that straddle lie on both sides of a border. */
    int cell(int index) {
        if (deed == Deed.FETCH_ADD_INTO_COLD && place != Place.STRADDLING) {
            return index * PAGE + 16;
        }
        return place == Place.STRADDLING && index == 0 ? PAGE - 8 : index * PAGE + (index == 1 ? 0 : 64);
    }

    /** Whether all of a page is overwritten by the message. */
    private boolean isCovered(int page) {
        return page * PAGE >= start() && (page + 1) * PAGE <= start() + length();
    }

    /** Whether a page has to be brought in. */
    boolean needsPage() {
        for (int page = 0; page <= lastPage(); page++) {
            if (isMissing(page) && !(deed.overwrites() && isCovered(page))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the peer is told to come again. */
    boolean isRefused() {
        boolean away = state == PagingProbe.Where.ABSENT || state == PagingProbe.Where.LOADING;
        return away && needsPage() && !deed.isAtClient() && deed != Deed.READ;
    }

    /** The client's packet that meets the missing page. */
    int faultPacket() {
        int page = 0;
        while (!isMissing(page)) {
            page++;
        }
        if (deed.isAtomic()) {
            return page;
        }
        return deed.isRead() ? 0 : Math.max(0, (page * PAGE - start()) / mtu.bytes());
    }

    /** The packet whose answer is the last of the deed. */
    int lastPacket() {
        return deed.isAtomic() ? faultPacket() : 4;
    }
}
