package org.verbena.link.udp.linux;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkFlow;
import org.verbena.link.Sleeper;
import org.verbena.link.linux.Libc;
import org.verbena.link.support.LocalInterface;
import org.verbena.link.support.SourcePorts;
import org.verbena.link.udp.driver.DriverOptions;

/**
 * The sockets that a {@link LinuxUdpLink} sends from: per local address as many as it has source ports, each opened for the first flow that
 * falls to it. Flows keep to their socket, and so in order.
 */
final class LinuxSenders {
    private final Libc libc;
    private final LinkCounters counters;
    private final DriverOptions options;
    private final boolean segmentation;
    private final LinuxRefusals refusals;
    private final @Nullable LinuxSender[] slots;
    private LinuxSender[] opened = new LinuxSender[0];

    LinuxSenders(Libc libc, LinkCounters counters, DriverOptions options, boolean segmentation, int locals) {
        this.libc = libc;
        this.counters = counters;
        this.options = options;
        this.segmentation = segmentation;
        this.refusals = new LinuxRefusals(libc);
        this.slots = new LinuxSender[options.sourcePorts() * locals];
    }

    /** Lets a sleep end when there is room for packets that could not leave. */
    void prepareSleep(Sleeper sleeper) {
        for (LinuxSender sender : opened) {
            sender.prepareSleep(sleeper);
        }
    }

    /** The sender of a flow that leaves from the local address of this index. */
    LinuxSender at(int index, Endpoint local, LinkFlow flow) {
        int slot = index * options.sourcePorts() + SourcePorts.share(flow, options.sourcePorts());
        LinuxSender sender = slots[slot];
        if (sender == null) {
            sender = open(local, flow);
            slots[slot] = sender;
            opened = Arrays.copyOf(opened, opened.length + 1);
            opened[opened.length - 1] = sender;
        }
        return sender;
    }

    private LinuxSender open(Endpoint local, LinkFlow flow) {
        int networkInterface = LocalInterface.of(local).getIndex();
        LinuxSocket socket = LinuxSocket.sender(libc, local, networkInterface, flow, options.socketBufferBytes());
        return new LinuxSender(socket, new SendBatch(libc, counters, segmentation));
    }

    /** The target of a packet that was refused; null if the system has told of none. */
    @Nullable
    Endpoint takeRefusal() {
        for (LinuxSender sender : opened) {
            Endpoint refused = sender.takeRefusal(refusals);
            if (refused != null) {
                return refused;
            }
        }
        return null;
    }

    int flush() {
        int packets = 0;
        for (LinuxSender sender : opened) {
            packets += sender.flush();
        }
        return packets;
    }

    void close() {
        for (LinuxSender sender : opened) {
            sender.close();
        }
    }
}
