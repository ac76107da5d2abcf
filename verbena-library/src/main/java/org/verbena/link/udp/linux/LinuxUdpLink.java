package org.verbena.link.udp.linux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.link.Framing;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkException;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Path;
import org.verbena.link.Sleeper;
import org.verbena.link.linux.Libc;
import org.verbena.link.support.Locals;
import org.verbena.link.support.Misuse;
import org.verbena.link.udp.driver.DriverOptions;
import org.verbena.link.udp.driver.LocalInterface;

/**
 * UDP on Linux by its own system calls: many packets per call, cut apart and put together by the kernel or the network card.
 *
 * <p>Receives by one socket per local address and per group, sends by one per source port. {@link LinuxProbe} says where this works.
 */
public final class LinuxUdpLink implements Link {
    private final Libc libc = new Libc();
    private final LinkCounters counters = new LinkCounters();
    private final DriverOptions options;
    private final List<Endpoint> locals;
    private final int packetMax;
    private final boolean segmentation;
    private final LinuxSenders senders;
    private final ReceiveBatch arrivals;
    /** First those of the local addresses, then those of groups. */
    private LinuxReceiver[] receivers = new LinuxReceiver[0];

    private @Nullable Sleeper sleeper;
    private @Nullable LinuxUdpPath claimed;
    private boolean closed;

    public LinuxUdpLink(List<Endpoint> requested, DriverOptions options) {
        this.options = options;
        packetMax = LocalInterface.packetMax(requested);
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
    public Framing framing() {
        return Framing.ROCE_V2;
    }

    @Override
    public List<Endpoint> locals() {
        return locals;
    }

    @Override
    public int packetMax() {
        return packetMax;
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public Path path(Address to, Flow flow) {
        Endpoint remote = Endpoint.of(to);
        Endpoint local = Locals.toward(remote, flow, locals);
        if (closed) {
            throw Misuse.closed(this);
        }
        return new LinuxUdpPath(this, remote, senders.at(locals.indexOf(local), local, flow), flow);
    }

    @Override
    public void join(Address to) {
        Endpoint group = Endpoint.of(to);
        Endpoint local = Locals.joining(group, locals);
        if (closed) {
            throw Misuse.closed(this);
        }
        if (memberIndex(group) >= 0) {
            return;
        }
        Locals.checkGroups(receivers.length - locals.size());
        int networkInterface = LocalInterface.of(local).getIndex();
        LinuxReceiver member =
                new LinuxReceiver(LinuxSocket.member(libc, group, networkInterface, options.socketBufferBytes()));
        if (sleeper != null) {
            member.attach(sleeper);
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
    public @Nullable Packet claim(Path path, int length) {
        if (!(path instanceof LinuxUdpPath to) || !to.isOf(this)) {
            throw Misuse.path(path, this);
        }
        if (length < 1 || length > packetMax) {
            throw Misuse.length(length, packetMax);
        }
        if (claimed != null) {
            throw Misuse.claimPending();
        }
        if (closed) {
            throw Misuse.closed(this);
        }
        Packet packet = to.sender.claim(to, length);
        if (packet == null) {
            counters.onRefused();
            return null;
        }
        claimed = to;
        return packet;
    }

    @Override
    public void commit(Packet packet) {
        LinuxUdpPath to = takeClaimed(packet);
        to.sender.commit(to, packet.length());
    }

    @Override
    public void abandon(Packet packet) {
        takeClaimed(packet);
    }

    private LinuxUdpPath takeClaimed(Packet packet) {
        LinuxUdpPath to = claimed;
        if (to == null || !to.sender.isMine(packet)) {
            throw Misuse.notClaimed();
        }
        claimed = null;
        return to;
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
    public void close() {
        if (!closed) {
            closed = true;
            senders.close();
            closeReceivers();
        }
    }

    private void closeReceivers() {
        for (LinuxReceiver receiver : receivers) {
            receiver.close();
        }
    }
}
