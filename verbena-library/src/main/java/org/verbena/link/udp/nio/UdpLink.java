package org.verbena.link.udp.nio;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;
import org.verbena.link.support.LocalInterface;
import org.verbena.link.support.Locals;
import org.verbena.link.support.SourcePorts;
import org.verbena.link.udp.driver.DriverOptions;
import org.verbena.link.udp.driver.SocketLink;

/**
 * UDP by the JDK's channels, on any system: a call per packet.
 *
 * <p>The JDK offers less than Linux: received packets have traffic class 0 and the default hop limit; sent packets have the traffic class of
 * their flow without its lowest bit, and its hop limit only to groups; overruns are not counted.
 */
public final class UdpLink extends SocketLink {
    private final List<Endpoint> locals;
    private final @Nullable UdpSender[] slots;
    private final ByteBuffer arrivalBytes = ByteBuffer.allocateDirect(Packet.LENGTH_MAX + 1);
    private final ByteBuffer arrivalView = arrivalBytes.duplicate();
    private final SourceAddresses sources = new SourceAddresses();
    private final Packet incoming = new Packet();
    /** First those of the local addresses, then those of groups. */
    private UdpReceiver[] receivers = new UdpReceiver[0];

    private UdpSender[] senders = new UdpSender[0];
    private int turn;
    private @Nullable Sleeper sleeper;

    public UdpLink(List<Endpoint> requested, DriverOptions options) {
        super(requested, options);
        List<Endpoint> bound = new ArrayList<>();
        try {
            for (Endpoint local : requested) {
                add(UdpChannel.receiver(local, counters, options.socketBufferBytes()));
                bound.add(receivers[receivers.length - 1].target);
            }
        } catch (LinkException e) {
            closeSockets();
            throw e;
        }
        locals = List.copyOf(bound);
        slots = new UdpSender[options.sourcePorts() * locals.size()];
        incoming.in(MemorySegment.ofBuffer(arrivalBytes), arrivalBytes);
    }

    private void add(UdpChannel channel) {
        UdpReceiver receiver = new UdpReceiver(channel);
        try {
            if (sleeper != null) {
                receiver.attach(sleeper);
            }
        } catch (LinkException e) {
            channel.close();
            throw e;
        }
        receivers = Arrays.copyOf(receivers, receivers.length + 1);
        receivers[receivers.length - 1] = receiver;
    }

    @Override
    public String name() {
        return "udp (NIO)";
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
        return new UdpPath(this, remote, sender(local, flow), flow);
    }

    private UdpSender sender(Endpoint local, LinkFlow flow) {
        int slot = locals.indexOf(local) * options.sourcePorts() + SourcePorts.share(flow, options.sourcePorts());
        UdpSender sender = slots[slot];
        if (sender == null) {
            UdpChannel channel =
                    UdpChannel.sender(local, flow, LocalInterface.of(local), counters, options.socketBufferBytes());
            sender = new UdpSender(channel, counters);
            slots[slot] = sender;
            senders = Arrays.copyOf(senders, senders.length + 1);
            senders[senders.length - 1] = sender;
        }
        return sender;
    }

    @Override
    public void join(Address to) {
        Endpoint group = Endpoint.of(to);
        Endpoint local = Locals.joining(group, locals);
        requireOpen();
        if (memberIndex(group) < 0) {
            Locals.checkGroups(receivers.length - locals.size());
            add(UdpChannel.member(group, LocalInterface.of(local), counters, options.socketBufferBytes()));
        }
    }

    @Override
    public void leave(Address from) {
        Endpoint group = Endpoint.of(from);
        int index = memberIndex(group);
        if (index >= 0) {
            receivers[index].channel.close();
            List<UdpReceiver> rest = new ArrayList<>(Arrays.asList(receivers));
            rest.remove(index);
            receivers = rest.toArray(UdpReceiver[]::new);
        }
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
        int packets = 0;
        for (UdpSender sender : senders) {
            packets += sender.flush();
        }
        return packets;
    }

    /** Asks the receivers in turn, each until it has no more. */
    @Override
    public int receive(PacketHandler handler, int limit) {
        UdpReceiver[] asked = receivers;
        int packets = 0;
        for (int i = 0; i < asked.length && packets < limit; i++) {
            turn = turn + 1 < asked.length ? turn + 1 : 0;
            packets += receive(asked[turn], handler, limit - packets);
        }
        return packets;
    }

    private int receive(UdpReceiver from, PacketHandler handler, int limit) {
        incoming.to(from.high, from.low, from.port);
        int packets = 0;
        long bytes = 0;
        while (packets < limit) {
            int length = receiveOne(from);
            if (length < 0) {
                break;
            }
            if (length == 0 || length > Packet.LENGTH_MAX) {
                counters.onReceiveDropped(1);
                continue;
            }
            incoming.at(0, length, 0);
            handler.onPacket(incoming);
            packets++;
            bytes += length;
        }
        if (packets > 0) {
            counters.onReceived(packets, bytes);
        }
        return packets;
    }

    /** Reads one datagram; its length, or −1 if there is none. */
    private int receiveOne(UdpReceiver from) {
        arrivalView.clear();
        counters.onReceiveCall();
        return isClosed() || !from.channel.receive(arrivalView, sources, incoming) ? -1 : arrivalView.position();
    }

    @Override
    public void attach(Sleeper with) {
        for (UdpReceiver receiver : receivers) {
            receiver.attach(with);
        }
        sleeper = with;
    }

    @Override
    public long sleepMaxNs() {
        Sleeper present = sleeper;
        if (present != null) {
            for (UdpSender sender : senders) {
                sender.prepareSleep(present);
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    protected void closeSockets() {
        for (UdpSender sender : senders) {
            sender.close();
        }
        for (UdpReceiver receiver : receivers) {
            receiver.channel.close();
        }
    }
}
