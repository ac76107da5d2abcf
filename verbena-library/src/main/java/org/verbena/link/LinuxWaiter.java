package org.verbena.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.verbena.link.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Waits for a socket or for other threads: {@code ppoll} on the socket and on an event descriptor that wakers write to. */
final class LinuxWaiter {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long EVENTS_OF_SOCKET = 4;
    private static final long EVENTS_OF_WAKER = 12;

    private final MemorySegment descriptors = Arena.ofAuto().allocate(POLLFD.byteSize() * 2, 8);
    private final MemorySegment timeout = Arena.ofAuto().allocate(TIMESPEC);
    private final MemorySegment drained = Arena.ofAuto().allocate(8, 8);
    private final WakeFlag wake = new WakeFlag();
    private final Libc libc;

    // Shared by wakers, who hold the lock: the descriptor must not be closed, and perhaps be somebody else's, while
    // they write.
    private final Object lock = new Object();
    private final Libc wakersLibc = new Libc();
    private int eventFd;

    LinuxWaiter(Libc libc, int socketFd) {
        this.libc = libc;
        eventFd = libc.eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (eventFd < 0) {
            throw new LinkException("no event descriptor to wake a waiting link: " + Libc.describe(-eventFd));
        }
        descriptors.set(JAVA_INT, 0, socketFd);
        descriptors.set(JAVA_INT, POLLFD.byteSize(), eventFd);
        descriptors.set(JAVA_SHORT, EVENTS_OF_WAKER, POLLIN);
    }

    /** Waits for packets, if asked for room to send, a wakeup, or the end of the time: only then false. */
    boolean await(long timeoutNs, boolean forRoom) {
        if (!wake.enter()) {
            return true;
        }
        descriptors.set(JAVA_SHORT, EVENTS_OF_SOCKET, forRoom ? (short) (POLLIN | POLLOUT) : POLLIN);
        long boundNs = Math.max(timeoutNs, 0);
        timeout.set(JAVA_LONG, 0, boundNs / NS_PER_SECOND);
        timeout.set(JAVA_LONG, 8, boundNs % NS_PER_SECOND);
        int ready = libc.ppoll(descriptors.address(), 2, timeout.address());
        boolean raised = wake.leave();
        if (ready > 0 && descriptors.get(JAVA_SHORT, POLLFD.byteSize() + 6) != 0) {
            libc.eventfdRead(eventFd, drained.address());
        }
        return raised || ready != 0;
    }

    void wakeup() {
        if (wake.raise()) {
            synchronized (lock) {
                if (eventFd >= 0) {
                    wakersLibc.eventfdWrite(eventFd, 1);
                }
            }
        }
    }

    void close() {
        synchronized (lock) {
            if (eventFd >= 0) {
                libc.close(eventFd);
                eventFd = -1;
            }
        }
    }
}
