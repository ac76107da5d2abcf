package org.verbena.bench.figures;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.verbena.link.frame.FrameCable;
import org.verbena.link.frame.FramePort;
import org.verbena.services.lan.HostDriver;
import org.verbena.services.lan.HostOptions;
import org.verbena.services.lan.HostState;
import org.verbena.services.lan.UnitDriver;
import org.verbena.services.lan.UnitOptions;
import org.verbena.verbs.AdapterOptions;

/**
 * Frames of 64 bytes from a station behind a host to a station of the unit's LAN: a program that prints millions of frames a second, those that have arrived.
 *
 * <p>Arguments: {@code LINK SECONDS}, a {@link FabricLink.Kind}. Ports are cables within the process. One thread is the host and its station, another one the unit and its
 * station; neither waits. A frame crosses the cable, the host's driver, the link, the unit's switch and the other cable; it is copied four times.
 */
final class LanFrameRate {
    private static final int FRAME_BYTES = 64;
    private static final int BYTES = FramePort.OFFLOAD_HEADER_BYTES + FRAME_BYTES;
    /** Until everything is compiled, beside two threads that never wait. */
    private static final long WARM_UP_MS = 6000;
    /** Turns of a thread between two pauses while it warms up: without them two threads leave no core to the compiler. */
    private static final int TURNS_PER_PAUSE = 256;

    private static final long PAUSE_NS = 1_000_000;
    /** Frames at the host's port at most. */
    private static final int BACKLOG_MAX = 64;

    private static final long SETTLE_MS = 300;
    private static final long STATION = 0x02_00_00_00_00_99L;

    private final FrameCable hostCable = FrameCable.open();
    private final FrameCable lanCable = FrameCable.open();
    private final UnitDriver unit;
    private final HostDriver host;
    private final AtomicLong arrived = new AtomicLong();
    private volatile boolean warm;
    private volatile boolean ended;

    private LanFrameRate(FabricLink link) {
        unit = UnitDriver.open(link.far(), lanCable.left(), UnitOptions.at(link.listenAt()));
        host = HostDriver.open(link.near(), hostCable.left(), unit.address(), link.farUdpPort(), HostOptions.DEFAULT);
    }

    /** Prints one number. */
    public static void main(String... arguments) throws InterruptedException {
        FabricLink.Kind kind = FabricLink.Kind.valueOf(arguments[0]);
        try (FabricLink link = FabricLink.open(kind, AdapterOptions.Run.INLINE)) {
            double rate = new LanFrameRate(link).measure(Long.parseLong(arguments[1]) * 1000);
            System.out.printf(Locale.ROOT, "%.4f%n", rate);
        }
    }

    private double measure(long milliseconds) throws InterruptedException {
        Thread far = Thread.ofPlatform().daemon().start(this::receive);
        Thread near = Thread.ofPlatform().daemon().start(this::send);
        Thread.sleep(WARM_UP_MS);
        warm = true;
        Thread.sleep(SETTLE_MS);
        long before = arrived.get();
        long beginNs = System.nanoTime();
        Thread.sleep(milliseconds);
        double rate = (arrived.get() - before) * 1e3 / (System.nanoTime() - beginNs);
        ended = true;
        near.join();
        far.join();
        host.close();
        unit.close();
        if (before == 0) {
            throw new MeasurementException("no frame has arrived; the host is " + host.state() + ": " + host.failure());
        }
        return rate;
    }

    private void pause(int turn) {
        if (!warm && turn % TURNS_PER_PAUSE == 0) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void send() {
        FramePort station = hostCable.right();
        MemorySegment frame = Arena.ofAuto().allocate(BYTES);
        long sent = 0;
        for (int turn = 1; !ended; turn++) {
            pause(turn);
            host.work(System.nanoTime());
            if (host.state() != HostState.UP) {
                sent = hostCable.left().counters().received();
                continue;
            }
            if (sent == 0) {
                station.offloads(true);
                address(frame);
            }
            long most = hostCable.left().counters().received() + BACKLOG_MAX;
            while (sent < most && station.send(frame, 0, BYTES)) {
                sent++;
            }
        }
    }

    private void address(MemorySegment frame) {
        for (int i = 0; i < 6; i++) {
            int shift = 40 - 8 * i;
            frame.set(JAVA_BYTE, FramePort.OFFLOAD_HEADER_BYTES + i, (byte) (STATION >> shift));
            frame.set(JAVA_BYTE, FramePort.OFFLOAD_HEADER_BYTES + 6 + i, (byte)
                    (host.address().bits() >> shift));
        }
        frame.set(JAVA_BYTE, FramePort.OFFLOAD_HEADER_BYTES + 12, (byte) 0x88);
        frame.set(JAVA_BYTE, FramePort.OFFLOAD_HEADER_BYTES + 13, (byte) 0xb5); // an experimental protocol
    }

    private void receive() {
        FramePort station = lanCable.right();
        MemorySegment frame = Arena.ofAuto().allocate(FramePort.FRAME_BYTES_MAX);
        for (int turn = 1; !ended; turn++) {
            pause(turn);
            unit.work(System.nanoTime());
            int taken = 0;
            while (station.receive(frame, 0, FramePort.FRAME_BYTES_MAX) != 0) {
                taken++;
            }
            arrived.lazySet(arrived.getPlain() + taken);
        }
    }
}
