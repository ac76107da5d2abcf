package org.verbena.link.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;
import org.verbena.link.support.WakeFlag;

/** Waits for sockets or for other threads: {@code ppoll} on the sockets and on an event descriptor that wakers write to. */
final class LinuxWaiter {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long EVENTS = 4;
    private static final long HAPPENED = 6;

    /** The event descriptor's first, then those of receivers, then those of senders with something to send. */
    private MemorySegment descriptors = Arena.ofAuto().allocate(POLLFD.byteSize() * 4, 8);

    private final MemorySegment timeout = Arena.ofAuto().allocate(TIMESPEC);
    private final MemorySegment drained = Arena.ofAuto().allocate(8, 8);
    private final WakeFlag wake = new WakeFlag();
    private final Libc libc;

    // Shared by wakers, who hold the lock: the descriptor must not be closed, and perhaps be somebody else's, while
    // they write.
    private final Object lock = new Object();
    private final Libc wakersLibc = new Libc();
    private int eventFd;

    LinuxWaiter(Libc libc) {
        this.libc = libc;
        eventFd = libc.eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (eventFd < 0) {
            throw new LinkException("no event descriptor to wake a waiting link: " + Libc.describe(-eventFd));
        }
    }

    /** Waits for packets, for room where something waits for it, a wakeup, or the end of the time: only then false. */
    boolean await(long timeoutNs, LinuxReceiver[] receivers, LinuxSender[] senders) {
        if (!wake.enter()) {
            return true;
        }
        int count = list(receivers, senders);
        long boundNs = Math.max(timeoutNs, 0);
        timeout.set(JAVA_LONG, 0, boundNs / NS_PER_SECOND);
        timeout.set(JAVA_LONG, 8, boundNs % NS_PER_SECOND);
        int ready = libc.ppoll(descriptors.address(), count, timeout.address());
        boolean raised = wake.leave();
        if (ready > 0) {
            tell(receivers);
        }
        return raised || ready != 0;
    }

    private int list(LinuxReceiver[] receivers, LinuxSender[] senders) {
        long room = POLLFD.byteSize() * (1 + receivers.length + senders.length);
        if (descriptors.byteSize() < room) {
            descriptors = Arena.ofAuto().allocate(2 * room, 8);
        }
        int count = 0;
        list(count++, eventFd, POLLIN);
        for (LinuxReceiver receiver : receivers) {
            list(count++, receiver.fd(), POLLIN);
        }
        for (LinuxSender sender : senders) {
            if (!sender.isEmpty()) {
                list(count++, sender.fd(), POLLOUT);
            }
        }
        return count;
    }

    private void list(int index, int fd, short events) {
        long at = POLLFD.byteSize() * index;
        descriptors.set(JAVA_INT, at, fd);
        descriptors.set(JAVA_SHORT, at + EVENTS, events);
        descriptors.set(JAVA_SHORT, at + HAPPENED, (short) 0);
    }

    /** Drains the event descriptor, and tells receivers that something is there for them. */
    private void tell(LinuxReceiver[] receivers) {
        if (happened(0)) {
            libc.eventfdRead(eventFd, drained.address());
        }
        for (int i = 0; i < receivers.length; i++) {
            receivers[i].promised |= happened(1 + i);
        }
    }

    private boolean happened(int index) {
        return descriptors.get(JAVA_SHORT, POLLFD.byteSize() * index + HAPPENED) != 0;
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
