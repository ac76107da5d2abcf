package org.verbena.link.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

/** Two links that reach each other, and the small steps tests are made of. The quiet step lets time pass when nothing has arrived. */
public record LinkPair(Link left, Link right, Quiet quiet) implements AutoCloseable {
    /** What to do when a link has nothing to deliver: wait, or move virtual time on. */
    @FunctionalInterface
    public interface Quiet {
        void pass(Link link);
    }

    private static final int ROUNDS_MAX = 2_000;

    /** Two links in real time: each has a sleeper, which the quiet step waits in. */
    public LinkPair(Link left, Link right) {
        this(left, right, new Sleepers(left, right));
    }

    private record Sleepers(Link left, RunnerSleeper atLeft, RunnerSleeper atRight) implements Quiet {
        Sleepers(Link left, Link right) {
            this(left, new RunnerSleeper(), new RunnerSleeper());
            atLeft.add(left);
            atRight.add(right);
        }

        @Override
        public void pass(Link link) {
            of(link).sleep(1_000_000);
        }

        RunnerSleeper of(Link link) {
            return link.equals(left) ? atLeft : atRight;
        }
    }

    /** The sleeper of a link; null in virtual time. */
    public @Nullable RunnerSleeper sleeper(Link link) {
        return quiet instanceof Sleepers sleepers ? sleepers.of(link) : null;
    }

    /** Whether the link has an event, after a sleep of at most this time; in virtual time without one. */
    public boolean await(Link link, long timeoutNs) {
        RunnerSleeper sleeper = sleeper(link);
        return sleeper == null ? link.sleepMaxNs() == 0 : sleeper.sleep(timeoutNs);
    }

    /** Sleeps until a wake-up. A parked thread may wake without a reason: a latch may leave a permit behind. */
    public static void sleepUntilWoken(RunnerSleeper sleeper) {
        while (!sleeper.sleep(Long.MAX_VALUE)) {
            assertFalse(Thread.currentThread().isInterrupted(), "the wake-up was lost");
        }
    }

    /** Sends bytes; false if there is no room. */
    public static boolean send(Link link, LinkPath path, byte[] bytes) {
        Packet packet = link.claim(path, bytes.length);
        if (packet == null) {
            return false;
        }
        MemorySegment.copy(bytes, 0, packet.segment(), ValueLayout.JAVA_BYTE, packet.offset(), bytes.length);
        link.commit(packet);
        return true;
    }

    public static byte[] bytesOf(Packet packet) {
        return packet.segment().asSlice(packet.offset(), packet.length()).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Receives this number of packets, or fewer if no more come. */
    public List<byte[]> receive(Link link, int count) {
        List<byte[]> received = new ArrayList<>();
        for (int quietRounds = 0; received.size() < count && quietRounds < ROUNDS_MAX; ) {
            if (link.receive(packet -> received.add(bytesOf(packet)), count - received.size()) == 0) {
                quietRounds++;
                quiet.pass(link);
            }
        }
        return received;
    }

    /** Receives one packet, for a handler that looks at it; true if it came. */
    public boolean receiveOne(Link link, PacketHandler handler) {
        for (int quietRounds = 0; quietRounds < ROUNDS_MAX; quietRounds++) {
            if (link.receive(handler, 1) == 1) {
                return true;
            }
            quiet.pass(link);
        }
        return false;
    }

    /** Receives one packet, unless for a while none comes. */
    public boolean receiveSoon(Link link, PacketHandler handler) {
        for (int quietRounds = 0; quietRounds < 20; quietRounds++) {
            if (link.receive(handler, 1) == 1) {
                return true;
            }
            quiet.pass(link);
        }
        return false;
    }

    /** Two links with an IPv4 and an IPv6 address of the machine each; null if it has no IPv6 one. */
    public static @Nullable LinkPair udpWithTwoAddresses(UdpOptions options) {
        try {
            if (NetworkInterface.getByInetAddress(Endpoint.of("::1", 0).address()) == null) {
                return null;
            }
        } catch (SocketException e) {
            return null;
        }
        List<Endpoint> locals = List.of(Endpoint.of("127.0.0.1", 0), Endpoint.of("::1", 0));
        return new LinkPair(UdpNetwork.open(locals, options), UdpNetwork.open(locals, options));
    }

    /** IPv4 and IPv6 endpoints for the number-th link of a network that takes any. */
    public static List<Endpoint> twoAddresses(int number) {
        return List.of(Endpoint.of("10.7.7." + number, 4791), Endpoint.of("fd00::" + number, 4791));
    }

    /** A packet that differs from others: a number of bytes, made from a seed. */
    public static byte[] numbered(int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (((number * 0x9e37_79b1) >>> 24) + i * 7);
        }
        for (int i = 0; i < Math.min(4, length); i++) {
            bytes[i] = (byte) (number >>> (8 * i));
        }
        return bytes;
    }

    /** The number of a packet made by {@link #numbered}, which must be unharmed; null if it is not. */
    public static @Nullable Integer numberOf(byte[] bytes) {
        int number = 0;
        for (int i = 0; i < 4; i++) {
            number |= (bytes[i] & 0xff) << (8 * i);
        }
        return Arrays.equals(bytes, numbered(number, bytes.length)) ? number : null;
    }

    @Override
    public void close() {
        left.close();
        right.close();
        if (quiet instanceof Sleepers sleepers) {
            sleepers.atLeft.close();
            sleepers.atRight.close();
        }
    }
}
