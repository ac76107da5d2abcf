package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test of an API that both wires have runs over both, or is listed here with the reason why it does not. */
final class EachWireTest {
    private static final List<String> PACKAGES = List.of("verbs", "connect", "connect/protocol", "message");
    private static final String TESTS = "verbena-library/src/test/java/org/verbena/";
    private static final int ANNOTATED_MIN = 40;

    private static final Map<String, List<String>> ONE_WIRE = Map.of(
            "RoCE only: services without a connection, and what a port of InfiniBand has",
            List.of(
                    "verbs/DatagramTest",
                    "verbs/RawTest",
                    "verbs/ServiceTableTest",
                    "verbs/ServicesTest",
                    "verbs/SeveralAddressesTest",
                    "verbs/UnansweredFaultTest",
                    "verbs/UnreliableRegisterTest",
                    "connect/AdmissionTest"),
            "RoCE only: packets, acknowledgements, credits, RNR NAKs and probes; TCP has its own",
            List.of(
                    "verbs/AtomicWriteUnderLossTest",
                    "verbs/CreditsTest",
                    "verbs/InvitationTest",
                    "connect/KeepaliveTest",
                    "connect/PagedPeerTest",
                    "connect/NetworkRefusalTest"),
            "RoCE only: the communication manager of InfiniBand, its messages, ids, options and addresses",
            List.of(
                    "connect/AddressFamiliesTest",
                    "connect/ConversationConnectTest",
                    "connect/DataAtConnectTest",
                    "connect/LinuxConversationsTest",
                    "connect/SecrecyTest",
                    "connect/protocol/DataExchangeTest",
                    "connect/protocol/JudgementTest",
                    "connect/protocol/LossTest"),
            "iWARP only: its options, streams of other protocols, TCP of this machine",
            List.of(
                    "connect/SlowPeerTest",
                    "connect/StreamAddressesTest",
                    "connect/StreamConnectTest",
                    "connect/StreamDataTest",
                    "message/StreamRequestTest"),
            "no wire is used: values, rings, an engine or a link that fails",
            List.of(
                    "verbs/AdapterFatalTest",
                    "verbs/MappedRingsTest",
                    "verbs/RefusedQueuePairTest",
                    "verbs/RefusedSourceTest",
                    "verbs/RemoteMemoryTest"),
            "the program of a document, as it stands there",
            List.of(
                    "verbs/FirstStepsExampleTest",
                    "verbs/KeysExampleTest",
                    "connect/GuideExampleTest",
                    "connect/ReadmeExampleTest",
                    "message/MessagesExampleTest"));

    private static Path tests() {
        Optional<Path> root = Checkout.findRoot();
        assumeTrue(root.isPresent(), "not a checkout");
        return root.get().resolve(TESTS);
    }

    /** Tests of what iWARP does not have: services, groups, messages of connection management, probes, page faults. */
    private static final Set<String> OVER_SWITCHES = Set.of(
            "verbs/DatagramTest",
            "verbs/RawTest",
            "verbs/ServiceTableTest",
            "verbs/UnansweredFaultTest",
            "verbs/UnreliableRegisterTest",
            "verbs/AtomicWriteUnderLossTest",
            "verbs/InvitationTest",
            "connect/KeepaliveTest",
            "connect/PagedPeerTest",
            "connect/ConversationConnectTest",
            "connect/DataAtConnectTest",
            "adapter/ib/reliable/FaultMatrixTest",
            "adapter/ib/reliable/FaultFlowTest",
            "adapter/ib/reliable/FewRetriesFlowTest",
            "adapter/ib/reliable/GuestFaultFlowTest",
            "adapter/ib/reliable/ReadPatienceTest",
            "adapter/ib/unreliable/UnreliableFaultTest");

    private static Map<String, Boolean> annotated() throws IOException {
        return annotated("OverEachWire", PACKAGES);
    }

    private static Map<String, Boolean> annotated(String annotation, List<String> packages) throws IOException {
        Map<String, Boolean> found = new HashMap<>();
        for (String room : packages) {
            List<Path> files;
            try (Stream<Path> all = Files.list(tests().resolve(room))) {
                files = all.filter(file -> file.toString().endsWith("Test.java"))
                        .toList();
            }
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".java", "");
                found.put(room + "/" + name, Files.readString(file).contains("\n@" + annotation + "\n"));
            }
        }
        return found;
    }

    @Test
    void everyTestRunsOverEachWireOrHasAReason() throws IOException {
        Map<String, Boolean> found = annotated();
        Set<String> listed =
                ONE_WIRE.values().stream().flatMap(List::stream).collect(Collectors.toCollection(TreeSet::new));
        Set<String> without = new TreeSet<>();
        found.forEach((name, each) -> {
            if (!each) {
                without.add(name);
            }
        });
        assertEquals(listed, without, "tests that are listed, and tests that do not run over each wire");
        assertTrue(
                found.size() - without.size() >= ANNOTATED_MIN, () -> found.size() - without.size() + " run over both");
    }

    @Test
    void testsOfWhatIwarpDoesNotHaveRunOverAFabric() throws IOException {
        List<String> packages = new ArrayList<>(PACKAGES);
        packages.addAll(List.of("adapter/ib/reliable", "adapter/ib/unreliable"));
        Set<String> found = new TreeSet<>();
        annotated("OverSwitches", packages).forEach((name, switched) -> {
            if (switched) {
                found.add(name);
            }
        });
        assertEquals(new TreeSet<>(OVER_SWITCHES), found);
    }
}
