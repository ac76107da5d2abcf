package org.verbena.link.udp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.link.wrap.CapturedLink;
import org.verbena.time.NanoClock;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;

/** What {@link NamespaceTest} runs in a network namespace of its own: one end that sends, or one that receives and captures. */
final class NamespacePeer {
    static final String SENDER_4 = "10.91.0.1";
    static final String SENDER_6 = "fd91::1";
    static final Endpoint RECEIVER_4 = Endpoint.of("10.91.0.2", Endpoint.ROCE_PORT);
    static final Endpoint RECEIVER_6 = Endpoint.of("fd91::2", Endpoint.ROCE_PORT);
    static final Endpoint GROUP_4 = Endpoint.of("239.91.1.2", Endpoint.ROCE_PORT);
    static final Endpoint GROUP_6 = Endpoint.of("ff05::91:2", Endpoint.ROCE_PORT);

    /** Packets to every target: more than one message, the second of which begins with identification 0 again. */
    static final int EACH = 20;

    static final int TARGETS = 4;
    private static final int RUN = 12;
    private static final int LENGTH = 700;

    private NamespacePeer() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("send")) {
            send();
        } else {
            receive(java.nio.file.Path.of(arguments[1]));
        }
    }

    /** How packets to a target travel. */
    static LinkFlow flow(Endpoint target) {
        return new LinkFlow(
                (int) target.low(),
                target.ipv6() ? 0xb9 : 0x6a,
                target.address().isMulticastAddress() ? 5 : 64);
    }

    private static void send() {
        Icrc icrc = new Icrc();
        List<Endpoint> locals =
                List.of(Endpoint.of(SENDER_4, Endpoint.ROCE_PORT), Endpoint.of(SENDER_6, Endpoint.ROCE_PORT));
        try (Link link = UdpNetwork.open(locals, UdpOptions.defaults().withDriver(UdpDriver.LINUX))) {
            for (Endpoint target : List.of(RECEIVER_4, RECEIVER_6, GROUP_4, GROUP_6)) {
                LinkPath path = link.path(target, flow(target));
                for (int i = 0; i < EACH; i++) {
                    Packet packet = link.claim(path, LENGTH);
                    if (packet == null) {
                        throw new AssertionError("no room for " + EACH + " packets");
                    }
                    fill(packet, i, icrc);
                    link.commit(packet);
                    if (i == RUN - 1) {
                        link.flush();
                    }
                }
                link.flush();
            }
            if (link.counters().sent() != (long) EACH * TARGETS) {
                throw new AssertionError(link.counters().toString());
            }
        }
    }

    private static void fill(Packet packet, int number, Icrc icrc) {
        for (int i = 0; i < LENGTH; i++) {
            packet.segment().set(ValueLayout.JAVA_BYTE, packet.offset() + i, (byte) (i * 7 + number));
        }
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, Partitions.DEFAULT_KEY, 0x123456);
        Bth.writeSequence(packet.segment(), packet.offset(), number, false);
        int sealed = LENGTH - Icrc.LENGTH;
        int crc = icrc.compute(
                packet.bytes(),
                packet.offset(),
                sealed,
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow(),
                packet.sourcePort(),
                packet.targetPort(),
                packet.identification());
        Icrc.write(packet.segment(), (long) packet.offset() + sealed, crc);
    }

    /** Receives everything, or gives up after about a minute of silence: the sender has yet to start. */
    private static void receive(java.nio.file.Path capture) {
        PrintStream out = new PrintStream(System.out, true, UTF_8);
        Link inner = UdpNetwork.open(
                List.of(RECEIVER_4, RECEIVER_6), UdpOptions.defaults().withDriver(UdpDriver.LINUX));
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link link = CapturedLink.toFile(inner, capture, NanoClock.wall())) {
            sleeper.add(link);
            link.join(GROUP_4);
            link.join(GROUP_6);
            out.println("ready");
            int received = 0;
            for (int silent = 0; received < EACH * TARGETS && silent < 600; silent++) {
                int more = link.receive(packet -> {}, 64);
                received += more;
                silent = more > 0 ? 0 : silent;
                sleeper.sleep(100_000_000);
            }
            out.println("received " + received + ", " + link.counters());
        }
    }
}
