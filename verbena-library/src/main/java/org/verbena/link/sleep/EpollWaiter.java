package org.verbena.link.sleep;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;
import org.verbena.link.Watch;
import org.verbena.link.linux.Libc;

/**
 * Waits for descriptors of Linux by {@code epoll}: the cost of a wait depends on the number of ready descriptors, not on the number of
 * watched ones. An {@code eventfd} among them ends the wait when a thread, or another process, writes to it. It is watched for edges, so
 * that each write counts and no read is needed.
 */
final class EpollWaiter implements Waiter {
    private static final int EVENTS_MAX = 64;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long WAKE = -1;

    private final Libc libc = new Libc();
    /** For changes of what is watched: another thread may wait meanwhile. */
    private final Libc driversLibc = new Libc();

    private final MemorySegment events = Arena.ofAuto().allocate(EPOLL_EVENT_BYTES * EVENTS_MAX, 8);
    private final MemorySegment change = Arena.ofAuto().allocate(EPOLL_EVENT_BYTES, 8);
    private final MemorySegment timeout = Arena.ofAuto().allocate(TIMESPEC);
    /** The epoll descriptor itself, to wait for on a system whose epoll has no timeout in nanoseconds. */
    private final MemorySegment polled = Arena.ofAuto().allocate(POLLFD);

    private final List<@Nullable DescriptorWatch> watches = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    private final int epoll;
    private boolean precise;
    /** Events of the last wait that were not told yet; negative if it failed. */
    private int ready;

    // For threads that wake: the descriptor must not be closed, and its number given to another file, while they write.
    private final Object lock = new Object();
    private final Libc wakersLibc = new Libc();
    private final int event;
    private volatile boolean closed;

    EpollWaiter() {
        this(true);
    }

    /** @param precise whether to try the system call with a timeout in nanoseconds */
    EpollWaiter(boolean precise) {
        this.precise = precise;
        epoll = libc.epollCreate(EPOLL_CLOEXEC);
        if (epoll < 0) {
            throw new LinkException("no epoll descriptor to wait with: " + Libc.describe(-epoll));
        }
        event = libc.eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        int added = event < 0 ? event : control(EPOLL_CTL_ADD, event, EPOLLIN | EPOLLET, WAKE);
        if (added < 0) {
            close();
            throw new LinkException("no event descriptor to wake a sleeping engine: " + Libc.describe(-added));
        }
        polled.set(JAVA_INT, 0, epoll);
        polled.set(JAVA_SHORT, 4, POLLIN);
    }

    private int control(int operation, int descriptor, int interest, long token) {
        change.set(JAVA_INT, 0, interest);
        change.set(JAVA_LONG_UNALIGNED, EPOLL_DATA, token);
        return driversLibc.epollControl(epoll, operation, descriptor, change.address());
    }

    /** The event descriptor: each write to it ends the current or the next wait. */
    int eventDescriptor() {
        return event;
    }

    Watch watch(int descriptor, Runnable onReady) {
        int token = free.isEmpty() ? watches.size() : free.removeLast();
        DescriptorWatch watch = new DescriptorWatch(descriptor, token, onReady);
        if (token == watches.size()) {
            watches.add(watch);
        } else {
            watches.set(token, watch);
        }
        return watch;
    }

    @Override
    public void prepare() {}

    @Override
    public boolean await(long timeoutNs) {
        timeout.set(JAVA_LONG, 0, timeoutNs / NS_PER_SECOND);
        timeout.set(JAVA_LONG, 8, timeoutNs % NS_PER_SECOND);
        ready = block();
        // An interrupted call may have missed an event.
        return ready != 0;
    }

    @Override
    public boolean look() {
        ready = libc.epollWait(epoll, events.address(), EVENTS_MAX, 0);
        for (int i = 0; i < ready; i++) {
            if (token(i) == WAKE) {
                return true;
            }
        }
        return false;
    }

    private long token(int event) {
        return events.get(JAVA_LONG_UNALIGNED, EPOLL_EVENT_BYTES * event + EPOLL_DATA);
    }

    /** A watch may have been closed since the wait, and another one may have its token: that one is told in vain. */
    @Override
    public void tell() {
        for (int i = 0; i < ready; i++) {
            long token = token(i);
            DescriptorWatch watch = token == WAKE ? null : watches.get((int) token);
            if (watch != null) {
                watch.onReady.run();
            }
        }
        ready = 0;
    }

    private int block() {
        if (precise) {
            int found = libc.epollPwait2(epoll, events.address(), EVENTS_MAX, timeout.address());
            // EPERM: a container may forbid a system call that its list of calls does not have yet.
            if (found != -Libc.ENOSYS && found != -Libc.EPERM) {
                return found;
            }
            precise = false;
        }
        int found = libc.ppoll(polled.address(), 1, timeout.address());
        return found <= 0 ? found : libc.epollWait(epoll, events.address(), EVENTS_MAX, 0);
    }

    @Override
    public void rouse() {
        synchronized (lock) {
            if (!closed) {
                wakersLibc.eventfdWrite(event, 1);
            }
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (!closed) {
                closed = true;
                libc.close(epoll);
                libc.close(event);
            }
        }
    }

    /** A descriptor; its token is its index in the list. */
    private final class DescriptorWatch implements Watch {
        private final int descriptor;
        private final int token;
        private final Runnable onReady;
        private int interest;
        private boolean ended;

        DescriptorWatch(int descriptor, int token, Runnable onReady) {
            this.descriptor = descriptor;
            this.token = token;
            this.onReady = onReady;
        }

        /** A descriptor without interest is not in the system's list: there it would still end waits with its errors. */
        @Override
        public void wants(boolean read, boolean write) {
            int wanted = (read ? EPOLLIN : 0) | (write ? EPOLLOUT : 0);
            if (wanted == interest || ended || closed) {
                return;
            }
            int operation = interest == 0 ? EPOLL_CTL_ADD : wanted == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
            int result = control(operation, descriptor, wanted, token);
            if (result < 0 && wanted != 0) {
                throw new LinkException(
                        "watch of descriptor " + descriptor + " refused by the system: " + Libc.describe(-result));
            }
            interest = wanted;
        }

        @Override
        public void close() {
            if (!ended) {
                wants(false, false);
                ended = true;
                watches.set(token, null);
                free.add(token);
            }
        }
    }
}
