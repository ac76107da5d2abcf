package org.verbena.memory.paging;

/**
 * A linked list of frames. Lists of one family share an array of links; a frame is in one list of the family at most, and its link
 * has the number of that list in its upper bits. So a frame takes four bytes. One thread at a time.
 *
 * <p>A frame that is removed from the middle stays linked, marked as gone, until it is the first. If it is appended to a list
 * before that, it returns to its old place: rare, and no worse than a wrong guess of the policy.
 */
final class FrameList {
    /** The links of all frames. */
    static final class Links {
        private final int[] next;

        Links(int frames) {
            assert frames < END : "a link has " + FRAME_BITS + " bits; found " + frames + " frames";
            next = new int[frames];
        }

        private boolean isGone(int frame) {
            return (next[frame] & GONE) != 0;
        }

        private int after(int frame) {
            return next[frame] & END;
        }

        private void follow(int frame, int after) {
            next[frame] = (next[frame] & ~END) | after;
        }
    }

    /** Bytes for a frame. */
    static final int BYTES = 4;

    private static final int FRAME_BITS = 28;
    private static final int END = (1 << FRAME_BITS) - 1;
    private static final int GONE = 1 << FRAME_BITS;
    private static final int NAME_SHIFT = FRAME_BITS + 1;
    private static final int NAME_MAX = 7;

    private final Links links;
    private final FrameList[] family;
    private final int name;
    private int head = END;
    private int tail = END;
    private int size;
    private int length;

    private FrameList(Links links, FrameList[] family, int name) {
        this.links = links;
        this.family = family;
        this.name = name;
    }

    /** Makes empty lists that share the links of all frames below a limit. */
    static FrameList[] family(int lists, int frames) {
        assert lists <= NAME_MAX : "a list number has three bits, and zero means no list; found " + lists + " lists";
        Links links = new Links(frames);
        FrameList[] family = new FrameList[lists];
        for (int i = 0; i < lists; i++) {
            family[i] = new FrameList(links, family, i + 1);
        }
        return family;
    }

    int size() {
        return size;
    }

    /** Number of frames in the list, with those that are gone and still linked. */
    int length() {
        return length;
    }

    boolean contains(int frame) {
        return links.next[frame] >>> NAME_SHIFT == name && !links.isGone(frame);
    }

    void append(int frame) {
        int found = links.next[frame] >>> NAME_SHIFT;
        if (found != 0) {
            assert links.isGone(frame) : "frame " + frame + " is in list " + found + " already";
            links.next[frame] &= ~GONE;
            family[found - 1].size++;
            return;
        }
        links.next[frame] = name << NAME_SHIFT | END;
        if (tail == END) {
            head = frame;
        } else {
            links.follow(tail, frame);
        }
        tail = frame;
        size++;
        length++;
    }

    /** Takes the first frame; {@link Driver#NONE} if it was marked as gone. The list's length is not zero. */
    int takeFirst() {
        assert length > 0 : "an empty list has no first frame";
        int frame = head;
        boolean gone = links.isGone(frame);
        head = links.after(frame);
        if (head == END) {
            tail = END;
        }
        links.next[frame] = 0;
        length--;
        if (gone) {
            return Driver.NONE;
        }
        size--;
        return frame;
    }

    void remove(int frame) {
        assert contains(frame) : "frame " + frame + " is not in list " + name;
        links.next[frame] |= GONE;
        size--;
    }
}
