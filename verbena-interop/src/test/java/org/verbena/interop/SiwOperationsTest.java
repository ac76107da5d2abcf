package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.EventKind;
import org.verbena.ReadyMessage;
import org.verbena.connect.ConnectFailedException;
import org.verbena.interop.exercise.ExerciseClient;
import org.verbena.interop.exercise.ExerciseEnd;
import org.verbena.interop.exercise.ExerciseServer;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.SiwPeer;
import org.verbena.interop.peer.SiwTerms;
import org.verbena.verbs.IwarpOptions;
import org.verbena.wire.iwarp.TerminateCode;

/** Every operation that siw has, and every refusal, with the kernel's {@code vx} at the other end. */
@ExtendWith(SiwPeer.class)
final class SiwOperationsTest {
    private static final Family FAMILY = Family.IPV4;
    private static final String SIZES = "-n 3 -s 16000";
    private static final IwarpOptions PLAIN = IwarpOptions.DEFAULT.withReady();

    /** Ways to open a stream, for either end as it begins. */
    enum Way {
        REVISION_2_WITH_CRC(2, true, null),
        REVISION_2_WITHOUT_CRC(2, false, null),
        REVISION_1_WITH_CRC(1, true, null),
        REVISION_1_WITHOUT_CRC(1, false, null),
        READY_BY_WRITE(2, true, SiwTerms.ReadyMessages.WRITE),
        READY_BY_READ(2, true, SiwTerms.ReadyMessages.READ),
        READY_BY_ANY(2, true, SiwTerms.ReadyMessages.BOTH);

        private final int revision;
        private final boolean crc;
        private final SiwTerms.@Nullable ReadyMessages ready;

        Way(int revision, boolean crc, SiwTerms.@Nullable ReadyMessages ready) {
            this.revision = revision;
            this.crc = crc;
            this.ready = ready;
        }

        IwarpOptions ours() {
            IwarpOptions options = PLAIN.withRevision(revision).withCrc(crc);
            return switch (ready) {
                case null -> options;
                case WRITE -> options.withReady(ReadyMessage.WRITE);
                case READ -> options.withReady(ReadyMessage.READ);
                case BOTH -> options.withReady(ReadyMessage.values());
            };
        }

        SiwTerms theirs() {
            SiwTerms terms = SiwTerms.DEFAULT.withRevision(revision).withCrc(crc);
            return ready == null ? terms : terms.withReady(ready);
        }
    }

    static Stream<Arguments> operations() {
        return Stream.of("send", "write", "read")
                .flatMap(scenario -> Stream.of(Way.values()).map(way -> Arguments.of(scenario, way)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void weAsk(String scenario, Way way, PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, scenario, SIZES);
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), way.ours());
                ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            asked.hasAccepted();
            switch (scenario) {
                case "send" -> client.send(3, 16_000, false);
                case "write" -> client.write(3, 16_000, false);
                case "read" -> client.read(3, 16_000);
                default -> throw new IllegalArgumentException(scenario);
            }
        }
        asked.server().end().succeeds();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void weServe(String scenario, Way way, PeerVm kernel) throws InterruptedException {
        way.theirs().applyTo(kernel);
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), PLAIN.withCrc(way.crc));
                ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), scenario, 3, 16_000)) {
            server.serve(asks(kernel, scenario, server, SIZES));
        }
    }

    /** A send is not among the messages that siw knows: its clients cannot offer one, and its servers answer "write" to a client that can send no write. */
    @Test
    void itKnowsNoSendAsReadyMessage(PeerVm kernel) {
        Asked asked = Asked.begin(kernel, FAMILY, "send", SIZES);
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), PLAIN.withReady(ReadyMessage.SEND))) {
            String message = String.valueOf(
                    assertThrows(ConnectFailedException.class, () -> new ExerciseClient(end, asked.address(), "send"))
                            .getMessage());
            System.out.println("siw takes no send as ready message: " + message);
            assertTrue(message.contains("the two sides know no common ready-to-receive message"), message);
        }
        kernel.run("killall vx");
        asked.server().end();
    }

    /** Its sends wait in the stream for our receives. */
    @Test
    void ourReceivesMayComeLate(PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), PLAIN);
                ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), "rnr", 3, 100)) {
            server.serve(asks(kernel, "rnr", server, ""));
        }
    }

    private static PeerJob asks(PeerVm kernel, String scenario, ExerciseServer server, String options) {
        return kernel.begin("vx -c " + FAMILY.host() + " " + scenario + " -p " + server.port() + " " + options);
    }

    /** siw knows no own reason for missing rights and for a message that is too long. It takes back the key of any region. */
    @ParameterizedTest
    @CsvSource({
        "readonly, DDP_INVALID_STAG",
        "badkey, DDP_INVALID_STAG",
        "badrange, DDP_BASE_OR_BOUNDS",
        "sendinv, DDP_INVALID_STAG",
        "toolong, DDP_NO_BUFFER",
        "rnr, DDP_NO_BUFFER"
    })
    void itTellsWhyItEndsTheStream(String scenario, TerminateCode reason, PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, scenario, "-n 1 -s 64");
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), PLAIN);
                ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            asked.hasAccepted();
            switch (scenario) {
                case "readonly" -> client.writeReadOnly();
                case "badkey" -> client.writeWithBadKey();
                case "badrange" -> client.writeOutOfRange();
                case "sendinv" -> client.writeAfterInvalidate();
                case "toolong" -> client.sendTooMuch();
                case "rnr" -> client.sendToNone();
                default -> throw new IllegalArgumentException(scenario);
            }
            end.failsWith(EventKind.QUEUE_PAIR_FATAL, reason.toString());
        }
        kernel.run("killall vx");
        asked.server().end();
    }

    @Test
    void ourReadWithABadKeyFailsWithItsReason(PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, "badread", "");
        try (ExerciseEnd end = ExerciseEnd.iwarpAt(FAMILY.host(), PLAIN);
                ExerciseClient client = new ExerciseClient(end, asked.address(), "badread")) {
            asked.hasAccepted();
            client.badRead();
            end.failsWith(EventKind.QUEUE_PAIR_FATAL, "RDMAP_INVALID_STAG");
        }
        asked.server().end();
    }

    /** The halves of the first byte of a terminate message mean the opposite to siw. */
    @ParameterizedTest
    @CsvSource({
        "readonly, QUEUE_PAIR_ACCESS_ERROR, RDMAP_ACCESS_RIGHTS",
        "badkey, QUEUE_PAIR_ACCESS_ERROR, DDP_INVALID_STAG",
        "badrange, QUEUE_PAIR_ACCESS_ERROR, DDP_BASE_OR_BOUNDS",
        "badread, QUEUE_PAIR_ACCESS_ERROR, RDMAP_INVALID_STAG",
        "sendinv, QUEUE_PAIR_ACCESS_ERROR, DDP_INVALID_STAG",
        "toolong, QUEUE_PAIR_REQUEST_ERROR, DDP_MESSAGE_TOO_LONG",
        "rnrfail, QUEUE_PAIR_REQUEST_ERROR, DDP_NO_BUFFER"
    })
    void weTellWhyWeEndTheStream(String scenario, EventKind kind, TerminateCode reason, PeerVm kernel)
            throws InterruptedException {
        kernel.run("dmesg -c");
        try (ExerciseEnd end = scenario.equals("readonly")
                        ? ExerciseEnd.readOnlyIwarpAt(FAMILY.host(), PLAIN)
                        : ExerciseEnd.iwarpAt(FAMILY.host(), PLAIN.withReceiveWait(Duration.ZERO));
                ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), scenario, 1, 64)) {
            PeerJob client = asks(kernel, scenario, server, "-n 1 -s 64");
            server.serveUntilRefusal(client);
            end.failsWith(kind, ""); // the kernel tells the reason below
            kernel.run("killall vx");
            client.end();
        }
        Outcome log = kernel.run("dmesg");
        String told = "got TERMINATE. layer " + reason.type() + ", type " + reason.layer() + ", code " + reason.code();
        assertTrue(log.output().contains(told), () -> told + " expected in " + log);
    }
}
