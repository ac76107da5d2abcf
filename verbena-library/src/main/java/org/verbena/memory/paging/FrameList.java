package org.verbena.memory.paging;

/** Frames in a row, each in one list at most; links are kept in arrays that lists share. One thread at a time. */
final class FrameList {
    /** The links of all frames. */
    static final class Links {
        private final int[] next;
        private final int[] previous;
        private final byte[] list;

        Links(int frames) {
            next = new int[frames];
            previous = new int[frames];
            list = new byte[frames];
        }
    }

    /** Bytes for a frame. */
    static final int BYTES = 9;

    private static final int END = -1;

    private final Links links;
    private final byte name;
    private int head = END;
    private int tail = END;
    private int size;

    /** An empty list; lists that share links have different names, from 1. */
    FrameList(Links links, int name) {
        this.links = links;
        this.name = (byte) name;
    }

    int size() {
        return size;
    }

    boolean contains(int frame) {
        return links.list[frame] == name;
    }

    void append(int frame) {
        assert links.list[frame] == 0 : "frame " + frame + " is in list " + links.list[frame] + " already";
        links.list[frame] = name;
        links.next[frame] = END;
        links.previous[frame] = tail;
        if (tail == END) {
            head = frame;
        } else {
            links.next[tail] = frame;
        }
        tail = frame;
        size++;
    }

    /** Takes the first; the list is not empty. */
    int takeFirst() {
        int frame = head;
        remove(frame);
        return frame;
    }

    void remove(int frame) {
        assert contains(frame) : "frame " + frame + " is not in list " + name;
        int before = links.previous[frame];
        int after = links.next[frame];
        if (before == END) {
            head = after;
        } else {
            links.next[before] = after;
        }
        if (after == END) {
            tail = before;
        } else {
            links.previous[after] = before;
        }
        links.list[frame] = 0;
        size--;
    }
}
