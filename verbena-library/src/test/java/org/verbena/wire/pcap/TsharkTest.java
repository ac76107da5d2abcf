package org.verbena.wire.pcap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.time.Seed;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.ImmDt;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.TransportService;

/** Wireshark's reading of our packets against ours, for every opcode but reliable datagrams', on IPv4 and IPv6. */
final class TsharkTest {
    private static final int ROUNDS = 5;
    private static final long START_NS = 1_700_000_000_123_456_789L;
    private static final List<String> FIELDS = List.of(
            "frame.time_epoch",
            "_ws.malformed",
            "ip.checksum.status",
            "infiniband.bth.opcode",
            "infiniband.bth.destqp",
            "infiniband.bth.psn",
            "infiniband.bth.p_key",
            "infiniband.bth.padcnt",
            "infiniband.deth.srcqp",
            "infiniband.reth.va",
            "infiniband.reth.r_key",
            "infiniband.reth.dmalen",
            "infiniband.atomiceth.swapdt",
            "infiniband.atomiceth.cmpdt",
            "infiniband.aeth.syndrome",
            "infiniband.aeth.msn",
            "infiniband.atomicacketh.origremdt",
            "infiniband.immdt",
            "infiniband.ieth",
            "infiniband.invariant.crc");
    /** Wireshark 4.0 has the base header of these, and calls the rest payload. */
    private static final Set<Opcode> BASE_HEADER_ONLY = EnumSet.of(Opcode.RC_FLUSH, Opcode.RC_ATOMIC_WRITE, Opcode.CNP);

    @TempDir
    private Path directory = Path.of("unset");

    private final Seed seed = new Seed(4791);

    @Test
    void tsharkReadsWhatWeWrote() throws IOException, InterruptedException {
        assumeTrue(isInstalled(), "tshark is not installed");
        List<MemorySegment> frames = frames();
        Path file = write(frames);
        List<List<String>> rows = dissect(file);
        assertEquals(frames.size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            expectSame(frames.get(i), START_NS + i, rows.get(i));
        }
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("tshark", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notFound) {
            return false;
        }
    }

    private List<MemorySegment> frames() {
        List<MemorySegment> frames = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Opcode opcode : Opcode.values()) {
                // Wireshark 4.0 looks for the headers of reliable datagrams eight bytes too late.
                if (opcode.service() != TransportService.RD) {
                    frames.add(RandomFrame.of(opcode, false, seed));
                    frames.add(RandomFrame.of(opcode, true, seed));
                }
            }
        }
        return frames;
    }

    private Path write(List<MemorySegment> frames) throws IOException {
        Path file = directory.resolve("all.pcapng");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (PcapngWriter writer = new PcapngWriter(channel, "Verbena", "test")) {
            for (int i = 0; i < frames.size(); i++) {
                writer.write(START_NS + i, PcapngWriter.Direction.OUTBOUND, frames.get(i));
            }
        }
        return file;
    }

    private static List<List<String>> dissect(Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        // Guesses about the payload, which is random here.
        for (String guess : List.of("rpcordma", "nvme-rdma", "smb_direct", "iser", "eoib")) {
            command.addAll(List.of("--disable-protocol", guess));
        }
        command.addAll(
                List.of("-o", "ip.check_checksum:TRUE", "-T", "fields", "-E", "separator=|", "-E", "occurrence=f"));
        FIELDS.forEach(field -> command.addAll(List.of("-e", field)));
        Process tshark = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines;
        try (Stream<String> output = tshark.inputReader(StandardCharsets.UTF_8).lines()) {
            lines = output.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        assertEquals(0, tshark.waitFor());
        return lines.stream().map(line -> List.of(line.split("\\|", -1))).toList();
    }

    private static void expectSame(MemorySegment frame, long timestampNs, List<String> row) {
        RoceFrame headers = Objects.requireNonNull(RoceFrame.read(frame));
        int at = headers.packetAt();
        Opcode opcode = Objects.requireNonNull(Opcode.of(Bth.opcode(frame, at)));
        List<String> expected = new ArrayList<>();
        expected.add(timestampNs / 1_000_000_000 + "." + timestampNs % 1_000_000_000);
        expected.add("");
        expected.add(headers.ipv4() == null ? "" : "1");
        expected.addAll(baseHeader(Bth.read(frame, at)));
        if (opcode.service() == TransportService.XRC || BASE_HEADER_ONLY.contains(opcode)) {
            int known = expected.size();
            assertEquals(expected, normalized(row).subList(0, known), opcode::name);
            return;
        }
        addExtensions(expected, frame, at, opcode);
        int icrc = Icrc.read(frame, headers.length() - Icrc.LENGTH);
        expected.add(number(Integer.reverseBytes(icrc) & 0xffff_ffffL));
        assertEquals(expected, normalized(row), opcode::name);
    }

    private static List<String> baseHeader(Bth bth) {
        return List.of(
                number(bth.opcode()),
                number(bth.destinationQueuePair()),
                number(bth.psn()),
                number(bth.pkey()),
                number(bth.padCount()));
    }

    private static void addExtensions(List<String> expected, MemorySegment frame, int at, Opcode opcode) {
        Deth deth = Deth.read(frame, at + offset(opcode, Extension.DETH));
        expected.add(shown(opcode, Extension.DETH, deth.sourceQueuePair()));
        addAddressed(expected, frame, at, opcode);
        Aeth aeth = Aeth.read(frame, at + offset(opcode, Extension.AETH));
        expected.add(shown(opcode, Extension.AETH, aeth.syndrome()));
        expected.add(shown(opcode, Extension.AETH, aeth.msn()));
        long original = opcode.carries(Extension.ATOMIC_ACK_ETH)
                ? AtomicAckEth.read(frame, at + offset(opcode, Extension.ATOMIC_ACK_ETH))
                        .original()
                : 0;
        expected.add(shown(opcode, Extension.ATOMIC_ACK_ETH, original));
        ImmDt immDt = ImmDt.read(frame, at + offset(opcode, Extension.IMMDT));
        expected.add(opcode.carriesImmediate() ? bytes(immDt.value()) : "");
        Ieth ieth = Ieth.read(frame, at + offset(opcode, Extension.IETH));
        expected.add(opcode.carriesInvalidate() ? bytes(ieth.key()) : "");
    }

    private static void addAddressed(List<String> expected, MemorySegment frame, int at, Opcode opcode) {
        if (opcode.isAtomic()) {
            AtomicEth atomic = AtomicEth.read(frame, at + offset(opcode, Extension.ATOMIC_ETH));
            expected.add(number(atomic.address()));
            expected.add(number(atomic.key() & 0xffff_ffffL));
            expected.add("");
            expected.add(number(atomic.swapOrAdd()));
            expected.add(number(atomic.compare()));
        } else if (opcode.carriesReth()) {
            Reth reth = Reth.read(frame, at + offset(opcode, Extension.RETH));
            expected.add(number(reth.address()));
            expected.add(number(reth.key() & 0xffff_ffffL));
            expected.add(number(reth.length() & 0xffff_ffffL));
            expected.addAll(List.of("", ""));
        } else {
            expected.addAll(List.of("", "", "", "", ""));
        }
    }

    /** Where the header is, or the start of the packet, which every header fits into, if there is none. */
    private static int offset(Opcode opcode, Extension extension) {
        return Math.max(opcode.offsetOf(extension), 0);
    }

    private static String shown(Opcode opcode, Extension extension, long value) {
        return opcode.carries(extension) ? number(value) : "";
    }

    private static String number(long value) {
        return Long.toUnsignedString(value);
    }

    private static String bytes(int value) {
        return HexFormat.of().toHexDigits(value);
    }

    /** Numbers decimal, bytes without separators. */
    private static List<String> normalized(List<String> row) {
        List<String> normal = new ArrayList<>();
        for (String cell : row) {
            if (cell.startsWith("0x")) {
                normal.add(Long.toUnsignedString(Long.parseUnsignedLong(cell.substring(2), 16)));
            } else {
                normal.add(cell.replace(":", ""));
            }
        }
        return normal;
    }
}
