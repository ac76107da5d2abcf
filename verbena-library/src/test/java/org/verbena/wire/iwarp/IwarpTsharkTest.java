package org.verbena.wire.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.time.Seed;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Tcp;
import org.verbena.wire.pcap.PcapngWriter;

/** Wireshark's reading against ours: of what Linux sent, field by field, and of streams that we make, with markers and atomics. */
final class IwarpTsharkTest {
    private static final int CLIENT = 40_000;
    private static final int SERVER = 7471;

    /** Wireshark's fields of segments, each with the values of all segments in the order of the capture. */
    private static final List<String> FIELDS = List.of(
            "iwarp_mpa.ulpdulength",
            "iwarp_ddp.last_flag",
            "iwarp_ddp.dv",
            "iwarp_rdma.version",
            "iwarp_rdma.opcode",
            "iwarp_ddp.stag",
            "iwarp_ddp.tagged_offset",
            "iwarp_ddp.qn",
            "iwarp_ddp.msn",
            "iwarp_ddp.mo",
            "iwarp_rdma.sinkstag",
            "iwarp_rdma.sinkto",
            "iwarp_rdma.rdmardsz",
            "iwarp_rdma.srcstag",
            "iwarp_rdma.srcto",
            "iwarp_rdma.inval_stag");

    private static final List<String> OPENING_FIELDS = List.of(
            "iwarp_mpa.marker_flag",
            "iwarp_mpa.crc_flag",
            "iwarp_mpa.rej_flag",
            "iwarp_mpa.rev",
            "iwarp_mpa.pdlength",
            "iwarp_mpa.privatedata");

    private static final List<String> EXTENSION_FIELDS = List.of(
            "iwarp_rdma.atomic.opcode",
            "iwarp_rdma.atomic.request_identifier",
            "iwarp_rdma.atomic.remote_stag",
            "iwarp_rdma.atomic.remote_tagged_offset",
            "iwarp_rdma.atomic.original_request_identifier",
            "iwarp_rdma.atomic.original_remote_data_value");

    @TempDir
    private Path directory = Path.of("unset");

    @BeforeAll
    static void findTshark() throws InterruptedException {
        boolean found;
        try {
            found = new ProcessBuilder("tshark", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notFound) {
            found = false;
        }
        assumeTrue(found, "tshark is not installed");
    }

    static List<String> captures() {
        return CapturedStream.captures();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void tsharkReadsSegmentsOfLinuxAsWeDo(String capture) throws IOException, InterruptedException {
        record Unit(int frame, CapturedUnits direction, int number) {}
        var units = new ArrayList<Unit>();
        for (CapturedUnits direction : CapturedUnits.of(capture)) {
            for (int number = 0; number < direction.units().size(); number++) {
                MemorySegment segment = direction.segment(number);
                int end = direction.units().get(number) + Fpdu.length((int) segment.byteSize());
                units.add(new Unit(frameOf(direction.stream(), end - 1), direction, number));
            }
        }
        units.sort(Comparator.comparingInt(Unit::frame));
        Map<String, List<String>> ours = columns(FIELDS);
        for (Unit unit : units) {
            describe(ours, unit.direction().segment(unit.number()));
        }
        assertEquals(ours, tshark(CapturedStream.file(capture), FIELDS));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void tsharkReadsOpeningFramesOfLinuxAsWeDo(String capture) throws IOException, InterruptedException {
        Map<String, List<String>> ours = columns(OPENING_FIELDS);
        for (CapturedUnits direction : CapturedUnits.of(capture)) {
            describe(ours, direction.frame());
            if (direction.privateData().length() > 0) {
                add(ours, "iwarp_mpa.privatedata", direction.privateData().toString());
            }
        }
        assertEquals(ours, tshark(CapturedStream.file(capture), OPENING_FIELDS));
    }

    private static void describe(Map<String, List<String>> columns, MpaHeader frame) {
        add(columns, "iwarp_mpa.marker_flag", frame.markers() ? 1 : 0);
        add(columns, "iwarp_mpa.crc_flag", frame.crc() ? 1 : 0);
        add(columns, "iwarp_mpa.rej_flag", frame.rejected() ? 1 : 0);
        add(columns, "iwarp_mpa.rev", frame.revision());
        add(columns, "iwarp_mpa.pdlength", frame.privateDataLength());
    }

    private static int frameOf(CapturedStream stream, int at) {
        return stream.pieces().stream()
                .filter(piece -> piece.at() <= at && at < piece.at() + piece.length())
                .findFirst()
                .orElseThrow()
                .frame();
    }

    private static void describe(Map<String, List<String>> columns, MemorySegment segment) {
        DdpControl control = DdpControl.read(segment, 0);
        RdmapOpcode opcode = RdmapOpcode.of(control.opcode());
        assertNotNull(opcode);
        add(columns, "iwarp_mpa.ulpdulength", segment.byteSize());
        add(columns, "iwarp_ddp.last_flag", control.last() ? 1 : 0);
        add(columns, "iwarp_ddp.dv", control.ddpVersion());
        add(columns, "iwarp_rdma.version", control.rdmapVersion());
        add(columns, "iwarp_rdma.opcode", control.opcode());
        if (control.tagged()) {
            TaggedHeader header = TaggedHeader.read(segment, 0);
            add(columns, "iwarp_ddp.stag", header.stag() & 0xffff_ffffL);
            add(columns, "iwarp_ddp.tagged_offset", header.offset());
            return;
        }
        UntaggedHeader header = UntaggedHeader.read(segment, 0);
        add(columns, "iwarp_ddp.qn", header.queue());
        add(columns, "iwarp_ddp.msn", header.msn());
        add(columns, "iwarp_ddp.mo", header.offset());
        if (opcode.invalidates()) {
            add(columns, "iwarp_rdma.inval_stag", header.invalidated() & 0xffff_ffffL);
        }
        if (opcode == RdmapOpcode.READ_REQUEST) {
            ReadRequest read = ReadRequest.read(segment, UntaggedHeader.LENGTH);
            add(columns, "iwarp_rdma.sinkstag", read.sinkStag() & 0xffff_ffffL);
            add(columns, "iwarp_rdma.sinkto", read.sinkOffset());
            add(columns, "iwarp_rdma.rdmardsz", read.length() & 0xffff_ffffL);
            add(columns, "iwarp_rdma.srcstag", read.sourceStag() & 0xffff_ffffL);
            add(columns, "iwarp_rdma.srcto", read.sourceOffset());
        }
    }

    private static Map<String, List<String>> columns(List<String> fields) {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        fields.forEach(field -> columns.put(field, new ArrayList<>()));
        return columns;
    }

    private static void add(Map<String, List<String>> columns, String field, long value) {
        add(columns, field, Long.toHexString(value));
    }

    private static void add(Map<String, List<String>> columns, String field, String value) {
        column(columns, field).add(value);
    }

    private static List<String> column(Map<String, List<String>> columns, String field) {
        return Objects.requireNonNull(columns.get(field));
    }

    /** Streams of the initiator with every kind of segment; each unit is a TCP segment. */
    @Test
    void tsharkReadsOurSegmentsMarkersAndCheckSums() throws IOException, InterruptedException {
        for (boolean markers : new boolean[] {false, true}) {
            Seed seed = new Seed(7306);
            List<byte[]> segments = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                for (RdmapOpcode opcode : RdmapOpcode.values()) {
                    if (opcode != RdmapOpcode.TERMINATE) { // needs headers behind it, see below
                        segments.add(randomSegment(opcode, seed));
                    }
                }
            }
            segments.add(terminate());
            Path file = write(directory.resolve("markers-" + markers + ".pcapng"), segments, markers);
            Map<String, List<String>> ours = columns(FIELDS);
            Map<String, List<String>> extensions = columns(EXTENSION_FIELDS);
            for (byte[] segment : segments) {
                describe(ours, MemorySegment.ofArray(segment));
                describeExtension(extensions, MemorySegment.ofArray(segment));
            }
            assertEquals(ours, tshark(file, FIELDS), "markers " + markers);
            assertEquals(extensions, tshark(file, EXTENSION_FIELDS), "markers " + markers);
            assertEquals(
                    List.of(segments.size(), segments.size(), 0),
                    List.of(
                            count(file, "iwarp_mpa.crc_check"),
                            verboseLines(file, "(Good CRC32)"),
                            verboseLines(file, "(Bad CRC32")),
                    "check sums, markers " + markers);
            assertEquals(
                    List.of("0", "1", "2", "1", "1", "0"),
                    terminateRow(file),
                    "layer, type, code and flags of the terminate message");
        }
    }

    private static void describeExtension(Map<String, List<String>> columns, MemorySegment segment) {
        if (DdpControl.opcode(segment, 0) == RdmapOpcode.ATOMIC_REQUEST.code()) {
            AtomicRequest request = AtomicRequest.read(segment, UntaggedHeader.LENGTH);
            add(columns, "iwarp_rdma.atomic.opcode", request.kind());
            add(columns, "iwarp_rdma.atomic.request_identifier", request.identifier() & 0xffff_ffffL);
            add(columns, "iwarp_rdma.atomic.remote_stag", request.stag() & 0xffff_ffffL);
            add(columns, "iwarp_rdma.atomic.remote_tagged_offset", request.offset());
        } else if (DdpControl.opcode(segment, 0) == RdmapOpcode.ATOMIC_RESPONSE.code()) {
            AtomicResponse response = AtomicResponse.read(segment, UntaggedHeader.LENGTH);
            add(columns, "iwarp_rdma.atomic.original_request_identifier", response.identifier() & 0xffff_ffffL);
            add(columns, "iwarp_rdma.atomic.original_remote_data_value", response.original());
        }
    }

    private static byte[] randomSegment(RdmapOpcode opcode, Seed seed) {
        boolean hasData = opcode.isTagged() || opcode.isSend();
        int ddp = opcode.isTagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        byte[] bytes = new byte[ddp + opcode.headerLength() + (hasData ? 1 + seed.nextInt(1200) : 0)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) seed.nextInt(256);
        }
        MemorySegment segment = MemorySegment.ofArray(bytes);
        if (opcode.isTagged()) {
            TaggedHeader.write(segment, 0, opcode, seed.nextBoolean(), seed.nextInt(), seed.nextLong());
        } else {
            int invalidated = opcode.invalidates() ? seed.nextInt() : 0;
            UntaggedHeader.write(segment, 0, opcode, !hasData, invalidated, 1 + seed.nextInt(1000), 0);
        }
        if (opcode == RdmapOpcode.ATOMIC_REQUEST) {
            int kind = seed.nextInt(AtomicKind.values().length);
            AtomicRequest.write(segment, ddp, kind, seed.nextInt(), seed.nextInt(), seed.nextLong());
        }
        return bytes;
    }

    private static byte[] terminate() {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + Terminate.LENGTH + 2 + TaggedHeader.LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        UntaggedHeader.write(segment, 0, RdmapOpcode.TERMINATE, true, 0, 1, 0);
        Terminate.of(TerminateCode.RDMAP_ACCESS_RIGHTS, true, false).write(segment, UntaggedHeader.LENGTH);
        return bytes;
    }

    private Path write(Path file, List<byte[]> segments, boolean markers) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (PcapngWriter writer = new PcapngWriter(channel, "Verbena", "test")) {
            byte[] request = new byte[MpaHeader.LENGTH];
            new MpaHeader(false, false, true, false, false, 1, 0).write(MemorySegment.ofArray(request), 0);
            byte[] reply = new byte[MpaHeader.LENGTH];
            new MpaHeader(true, markers, true, false, false, 1, 0).write(MemorySegment.ofArray(reply), 0);
            writer.write(1, PcapngWriter.Direction.OUTBOUND, frame(true, 1, request));
            writer.write(2, PcapngWriter.Direction.INBOUND, frame(false, 1, reply));
            PlainFraming framing = new PlainFraming(markers, true);
            int sent = 0;
            for (byte[] segment : segments) {
                framing.add(segment);
                byte[] stream = framing.bytes();
                byte[] unit = Arrays.copyOfRange(stream, sent, stream.length);
                writer.write(3 + sent, PcapngWriter.Direction.OUTBOUND, frame(true, 21 + sent, unit));
                sent = stream.length;
            }
        }
        return file;
    }

    private static MemorySegment frame(boolean fromClient, int sequence, byte[] data) {
        int at = Ethernet.LENGTH + Ipv4.LENGTH;
        MemorySegment frame = MemorySegment.ofArray(new byte[at + Tcp.LENGTH + data.length]);
        new Ethernet(1, 2, Ethernet.IPV4).write(frame, 0);
        int total = Ipv4.LENGTH + Tcp.LENGTH + data.length;
        int client = 0xc000_0201;
        int server = 0xc000_0202;
        new Ipv4(0, total, 0, 0, 64, Tcp.PROTOCOL, fromClient ? client : server, fromClient ? server : client)
                .write(frame, Ethernet.LENGTH);
        new Tcp(
                        fromClient ? CLIENT : SERVER,
                        fromClient ? SERVER : CLIENT,
                        sequence,
                        fromClient && sequence == 1 ? 1 : 1 + MpaHeader.LENGTH,
                        Tcp.ACK | Tcp.PSH,
                        60_000)
                .write(frame, at);
        MemorySegment.copy(data, 0, frame, ValueLayout.JAVA_BYTE, at + Tcp.LENGTH, data.length);
        return frame;
    }

    private static List<String> terminateRow(Path file) throws IOException, InterruptedException {
        List<String> fields = List.of(
                "iwarp_rdma.term_layer",
                "iwarp_rdma.term_etype_rdma",
                "iwarp_rdma.term_errcode_rdma",
                "iwarp_rdma.term_hdrct_m",
                "iwarp_rdma.hdrct_d",
                "iwarp_rdma.hdrct_r");
        Map<String, List<String>> found = tshark(file, fields);
        return fields.stream().map(field -> column(found, field).getFirst()).toList();
    }

    private static int count(Path file, String field) throws IOException, InterruptedException {
        return column(tshark(file, List.of(field)), field).size();
    }

    private static int verboseLines(Path file, String text) throws IOException, InterruptedException {
        return (int) run(List.of("-n", "-r", file.toString(), "-O", "iwarp_mpa"))
                .lines()
                .filter(line -> line.contains(text))
                .count();
    }

    /** The values of each field in all frames, numbers as hexadecimal digits. */
    private static Map<String, List<String>> tshark(Path file, List<String> fields)
            throws IOException, InterruptedException {
        var arguments = new ArrayList<>(List.of("-n", "-r", file.toString(), "-T", "fields", "-E", "occurrence=a"));
        fields.forEach(field -> arguments.addAll(List.of("-e", field)));
        Map<String, List<String>> columns = columns(fields);
        run(arguments).lines().forEach(line -> {
            String[] cells = line.split("\t", -1);
            for (int i = 0; i < fields.size(); i++) {
                for (String value : cells[i].split(",", -1)) {
                    if (!value.isEmpty()) {
                        add(columns, fields.get(i), normalized(fields.get(i), value));
                    }
                }
            }
        });
        return columns;
    }

    private static String normalized(String field, String value) {
        if (field.endsWith("privatedata")) {
            return value;
        }
        return Long.toHexString(
                value.startsWith("0x")
                        ? HexFormat.fromHexDigitsToLong(value.substring(2))
                        : Long.parseUnsignedLong(value));
    }

    private static String run(List<String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("tshark"));
        // Guesses about the payload, and the protocol of port 4420.
        for (String guess : List.of("rpcordma", "nvme-tcp", "nvme-rdma", "smb_direct", "iser")) {
            command.addAll(List.of("--disable-protocol", guess));
        }
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return output;
    }
}
