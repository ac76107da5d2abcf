package org.verbena.link.udp.linux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;
import org.verbena.link.linux.Libc;
import org.verbena.link.support.LocalInterface;
import org.verbena.link.support.Locals;
import org.verbena.link.udp.driver.DriverOptions;
import org.verbena.link.udp.driver.SocketLink;

/**
 * UDP on Linux by its own system calls: many packets per call, cut apart and put together by the kernel or the network card.
 *
 * <p>Receives by one socket per local address and per group, sends by one per source port. {@link LinuxProbe} says where this works.
 */
public final class LinuxUdpLink extends SocketLink {
    private final Libc libc = new Libc();
    private final List<Endpoint> locals;
    private final boolean segmentation;
    private final LinuxSenders senders;
    private final ReceiveBatch arrivals;
    /** First those of the local addresses, then those of groups. */
    private LinuxReceiver[] receivers = new LinuxReceiver[0];

    private @Nullable Sleeper sleeper;

    public LinuxUdpLink(List<Endpoint> requested, DriverOptions options) {
        super(requested, options);
        boolean segments = options.segmentation();
        List<Endpoint> bound = new ArrayList<>();
        try {
            for (Endpoint local : requested) {
                LinuxSocket socket = LinuxSocket.receiver(libc, local, options.socketBufferBytes());
                add(new LinuxReceiver(socket));
                bound.add(socket.local());
                segments &= socket.segments();
            }
        } catch (LinkException e) {
            closeReceivers();
            throw e;
        }
        locals = List.copyOf(bound);
        segmentation = segments;
        senders = new LinuxSenders(libc, counters, options, segmentation, locals.size());
        arrivals = new ReceiveBatch(libc, counters);
    }

    private void add(LinuxReceiver receiver) {
        receivers = Arrays.copyOf(receivers, receivers.length + 1);
        receivers[receivers.length - 1] = receiver;
    }

    @Override
    public String name() {
        return segmentation ? "udp (Linux, segmentation offload)" : "udp (Linux)";
    }

    @Override
    public List<Endpoint> locals() {
        return locals;
    }

    @Override
    public LinkPath path(Address to, LinkFlow flow) {
        Endpoint remote = Endpoint.of(to);
        Endpoint local = Locals.toward(remote, flow, locals);
        requireOpen();
        return new LinuxUdpPath(this, remote, senders.at(locals.indexOf(local), local, flow), flow);
    }

    @Override
    public void join(Address to) {
        Endpoint group = Endpoint.of(to);
        Endpoint local = Locals.joining(group, locals);
        requireOpen();
        if (memberIndex(group) >= 0) {
            return;
        }
        Locals.checkGroups(receivers.length - locals.size());
        int networkInterface = LocalInterface.of(local).getIndex();
        LinuxReceiver member =
                new LinuxReceiver(LinuxSocket.member(libc, group, networkInterface, options.socketBufferBytes()));
        try {
            if (sleeper != null) {
                member.attach(sleeper);
            }
        } catch (LinkException e) {
            member.close();
            throw e;
        }
        add(member);
    }

    @Override
    public void leave(Address from) {
        Endpoint group = Endpoint.of(from);
        int index = memberIndex(group);
        if (index < 0) {
            return;
        }
        LinuxReceiver gone = receivers[index];
        List<LinuxReceiver> rest = new ArrayList<>(Arrays.asList(receivers));
        rest.remove(index);
        receivers = rest.toArray(LinuxReceiver[]::new);
        arrivals.forget(gone);
        gone.close();
    }

    private int memberIndex(Endpoint group) {
        for (int i = locals.size(); i < receivers.length; i++) {
            if (receivers[i].target.equals(group)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int flush() {
        return senders.flush();
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        return arrivals.receive(receivers, handler, limit);
    }

    @Override
    public @Nullable Endpoint takeRefusal() {
        return isClosed() ? null : senders.takeRefusal();
    }

    @Override
    public void attach(Sleeper with) {
        for (LinuxReceiver receiver : receivers) {
            receiver.attach(with);
        }
        sleeper = with;
    }

    @Override
    public long sleepMaxNs() {
        if (arrivals.hasRest()) {
            return 0;
        }
        if (sleeper != null) {
            senders.prepareSleep(sleeper);
        }
        return Long.MAX_VALUE;
    }

    @Override
    protected void closeSockets() {
        senders.close();
        closeReceivers();
    }

    private void closeReceivers() {
        for (LinuxReceiver receiver : receivers) {
            receiver.close();
        }
    }
}
