package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.interop.exercise.ExerciseClient;
import org.verbena.interop.exercise.ExerciseEnd;
import org.verbena.interop.exercise.ExerciseServer;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;

/** Every operation and every refusal over connections made by rdma_cm, with the kernel's {@code vx} at the other end. */
@ExtendWith(KernelPeer.class)
final class OperationsTest {
    /** Java sees the IPv6 addresses of the process's first thread alone, which is not in the namespace: programs do IPv6. */
    private static final Family FAMILY = Family.IPV4;

    /** In the VM's order of completion states, {@code ibv_wc_status}. */
    private static final String INVALID_REQUEST = "status 9 ";

    private static final String ACCESS_ERROR = "status 10 ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "send",
                "sendimm",
                "write",
                "writeimm",
                "read",
                "readonly",
                "atomic",
                "atomicwrite",
                "mw",
                "rnr",
                "rnrfail",
                "badkey",
                "badread",
                "badrange",
                "toolong"
            })
    void weAsk(String scenario, PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, scenario, "-n 3 -s 9000");
        try (ExerciseEnd end = ExerciseEnd.at(FAMILY.host());
                ExerciseClient client = new ExerciseClient(end, asked.address(), scenario)) {
            switch (scenario) {
                case "send" -> client.send(3, 9000, false);
                case "sendimm" -> client.send(3, 9000, true);
                case "write" -> client.write(3, 9000, false);
                case "writeimm" -> client.write(3, 9000, true);
                case "read" -> client.read(3, 9000);
                case "readonly" -> client.readOnly();
                case "atomic" -> client.atomic(3);
                case "atomicwrite" -> client.atomicWrite();
                case "mw" -> client.window();
                case "rnr" -> client.receiverNotReady();
                case "rnrfail" -> client.receiverNeverReady();
                case "badkey" -> client.badKey();
                case "badread" -> client.badRead();
                case "badrange" -> client.badRange();
                case "toolong" -> client.tooLong();
                default -> throw new IllegalArgumentException(scenario);
            }
        }
        asked.server().end().succeeds();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "send",
                "sendimm",
                "write",
                "writeimm",
                "read",
                "readonly",
                "atomic",
                "atomicwrite",
                "mw",
                "sendinv",
                "rnr",
                "rnrfail",
                "badkey",
                "badread",
                "badrange",
                "toolong"
            })
    void weServe(String scenario, PeerVm kernel) throws InterruptedException {
        try (ExerciseEnd end = scenario.equals("readonly")
                        ? ExerciseEnd.readOnlyAt(FAMILY.host())
                        : ExerciseEnd.at(FAMILY.host());
                ExerciseServer server = new ExerciseServer(end, FAMILY.hostAddress(), scenario, 3, 9000)) {
            PeerJob client =
                    kernel.begin("vx -c " + FAMILY.host() + " " + scenario + " -p " + server.port() + " -n 3 -s 9000");
            Outcome outcome = server.serve(client);
            switch (scenario) {
                case "readonly", "badkey", "badread", "badrange", "sendinv" ->
                    assertTrue(outcome.output().contains(ACCESS_ERROR), outcome::toString);
                case "toolong" -> assertTrue(outcome.output().contains(INVALID_REQUEST), outcome::toString);
                default -> {}
            }
        }
    }

    @Test
    void aRegionOfTheirsStaysValid(PeerVm kernel) throws InterruptedException {
        Asked asked = Asked.begin(kernel, FAMILY, "sendinv", "");
        try (ExerciseEnd end = ExerciseEnd.at(FAMILY.host());
                ExerciseClient client = new ExerciseClient(end, asked.address(), "sendinv")) {
            client.invalidateRegion();
        }
        Outcome outcome = asked.server().end();
        assertTrue(outcome.output().contains(INVALID_REQUEST), outcome::toString);
    }
}
