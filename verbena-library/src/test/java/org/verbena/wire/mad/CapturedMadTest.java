package org.verbena.wire.mad;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;

/** Every management datagram that Linux sent in the captures: read, written again, the same bytes; and as Wireshark reads it. */
final class CapturedMadTest {
    private static final int MADS = 118;

    private static final List<String> REQ_FIELDS = List.of(
            "infiniband.mad.transactionid",
            "infiniband.cm.req.localcaguid",
            "infiniband.cm.req.localqpn",
            "infiniband.cm.req.responderres",
            "infiniband.cm.req.initdepth",
            "infiniband.cm.req.remoteresptout",
            "infiniband.cm.req.startpsn",
            "infiniband.cm.req.localresptout",
            "infiniband.cm.req.retrcount",
            "infiniband.cm.req.pkey",
            "infiniband.cm.req.pppmtu",
            "infiniband.cm.req.rnrretrcount",
            "infiniband.cm.req.maxcmretr",
            "infiniband.cm.req.srq",
            "infiniband.cm.req.prim_locallid",
            "infiniband.cm.req.prim_tfcclass",
            "infiniband.cm.req.prim_hoplim",
            "infiniband.cm.req.prim_localacktout",
            "infiniband.cm.req.ip_cm.sport");

    private static final List<String> REP_FIELDS = List.of(
            "infiniband.mad.transactionid",
            "infiniband.cm.rep.remotecommid",
            "infiniband.cm.rep.localqpn",
            "infiniband.cm.rep.startpsn",
            "infiniband.cm.rep.respres",
            "infiniband.cm.rep.initdepth",
            "infiniband.cm.rep.tgtackdelay",
            "infiniband.cm.rep.rnrretrcount",
            "infiniband.cm.rep.srq",
            "infiniband.cm.rep.localcaguid");

    private static List<CapturedMad> all() {
        return CapturedMad.captures().stream()
                .flatMap(capture -> CapturedMad.of(capture).stream())
                .toList();
    }

    @Test
    void everyDatagramIsWrittenAgainAsItWas() {
        List<CapturedMad> mads = all();
        assertEquals(MADS, mads.size());
        for (CapturedMad each : mads) {
            byte[] again = new byte[Mad.LENGTH];
            Arrays.fill(again, (byte) 0xee);
            each.message()
                    .writeMad(MemorySegment.ofArray(again), 0, each.header().transactionId());
            assertArrayEquals(
                    each.mad().toArray(ValueLayout.JAVA_BYTE), again, each.capture() + " frame " + each.number());
        }
    }

    @Test
    void theCapturesShowTheseMessages() {
        Set<Integer> attributes =
                all().stream().map(each -> each.header().attribute()).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                Set.of(
                        Req.ATTRIBUTE,
                        Rep.ATTRIBUTE,
                        Rtu.ATTRIBUTE,
                        Dreq.ATTRIBUTE,
                        Drep.ATTRIBUTE,
                        SidrReq.ATTRIBUTE,
                        SidrRep.ATTRIBUTE),
                attributes);
    }

    @Test
    void requestsNameAPortAndTheSource() {
        for (CapturedMad each : all()) {
            PrivateData data = switch (each.message()) {
                case Req req -> req.privateData();
                case SidrReq req -> req.privateData();
                default -> PrivateData.NONE;
            };
            if (data.length() > 0) {
                IpCmHeader header = IpCmHeader.of(data);
                assertNotNull(header);
                assertEquals(each.source(), (int) header.source().low());
                assertEquals(each.target(), (int) header.target().low());
                assertTrue(header.sourcePort() >= 0x8000, "an ephemeral port");
                assertEquals(data, header.before(data.from(IpCmHeader.LENGTH)));
            }
        }
        Req rping = (Req) CapturedMad.of("rxe_rping").getFirst().message();
        assertEquals(ServiceId.tcp(7174), rping.serviceId());
        SidrReq udaddy = (SidrReq) CapturedMad.of("rxe_udaddy").getFirst().message();
        assertEquals(ServiceId.udp(7174), udaddy.serviceId());
        SidrRep answer = (SidrRep) CapturedMad.of("rxe_udaddy").get(1).message();
        assertEquals(0x15, answer.queuePair());
        assertEquals(0x01234567, answer.qkey());
        assertEquals(udaddy.serviceId(), answer.serviceId());
    }

    /** Wireshark 4.0 reads the flow label one bit field off: 0x786a6 is 49504 · 31 + 7174, as rdma_cm makes it. */
    @Test
    void theFlowLabelComesOfThePorts() {
        for (CapturedMad each : all()) {
            if (each.message() instanceof Req req) {
                IpCmHeader header = IpCmHeader.of(req.privateData());
                assertNotNull(header);
                int expected = header.sourcePort() * 31 + ServiceId.port(req.serviceId()) & 0xfffff;
                assertEquals(expected, req.paths().primary().flowLabel());
                assertEquals(0, req.paths().primary().packetRate());
            }
        }
    }

    @Test
    void wiresharkReadsTheSameFields() throws IOException, InterruptedException {
        for (String capture : List.of("rxe_rping", "rxe_nvme", "rxe_iser", "rxe_cm_send_multi_mtu1500")) {
            List<String> requests = new ArrayList<>();
            List<String> replies = new ArrayList<>();
            for (CapturedMad each : CapturedMad.of(capture)) {
                switch (each.message()) {
                    case Req req -> requests.add(describe(each.header(), req));
                    case Rep rep -> replies.add(describe(each.header(), rep));
                    default -> {}
                }
            }
            assertEquals(tshark(capture, Req.ATTRIBUTE, REQ_FIELDS), requests);
            assertEquals(tshark(capture, Rep.ATTRIBUTE, REP_FIELDS), replies);
        }
    }

    private static String describe(Mad header, Req req) {
        IpCmHeader ip = IpCmHeader.of(req.privateData());
        assertNotNull(ip);
        return row(
                header.transactionId(),
                req.end().guid(),
                req.end().queuePair(),
                req.reads().responderResources(),
                req.reads().initiatorDepth(),
                req.timing().remoteResponseTimeout(),
                req.end().startingPsn(),
                req.timing().localResponseTimeout(),
                req.delivery().retries(),
                req.paths().pkey(),
                req.paths().mtu(),
                req.delivery().rnrRetries(),
                req.timing().cmRetries(),
                req.end().sharedReceives() ? 1 : 0,
                req.paths().primary().local().lid(),
                req.paths().primary().trafficClass(),
                req.paths().primary().hopLimit(),
                req.paths().primary().ackTimeout(),
                ip.sourcePort());
    }

    private static String describe(Mad header, Rep rep) {
        return row(
                header.transactionId(),
                rep.remoteId() & 0xffff_ffffL,
                rep.end().queuePair(),
                rep.end().startingPsn(),
                rep.reads().responderResources(),
                rep.reads().initiatorDepth(),
                rep.ackDelay(),
                rep.rnrRetries(),
                rep.end().sharedReceives() ? 1 : 0,
                rep.end().guid());
    }

    private static String row(long... values) {
        return Arrays.stream(values).mapToObj(Long::toHexString).collect(Collectors.joining(" "));
    }

    private static List<String> tshark(String capture, int attribute, List<String> fields)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(
                List.of("tshark", "-n", "-r", CapturedMad.file(capture).toString(), "-Y"));
        command.add("infiniband.mad.attributeid == " + attribute);
        command.addAll(List.of("-T", "fields"));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notFound) {
            assumeTrue(false, "tshark is not installed");
            throw notFound;
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return output.lines().map(CapturedMadTest::hexRow).toList();
    }

    private static String hexRow(String line) {
        return Arrays.stream(line.split("\t", -1))
                .map(value -> value.startsWith("0x")
                        ? HexFormat.fromHexDigitsToLong(value.substring(2))
                        : Long.parseLong(value))
                .map(Long::toHexString)
                .collect(Collectors.joining(" "));
    }
}
