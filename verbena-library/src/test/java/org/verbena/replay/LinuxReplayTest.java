package org.verbena.replay;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Right;
import org.verbena.Status;

/** Every captured reliable connection, with an adapter of ours in the place of Linux, once on each side. */
final class LinuxReplayTest {
    private static final List<String> CAPTURES = List.of(
            "rxe_atomic",
            "rxe_atomic_write",
            "rxe_cm_send_multi",
            "rxe_cm_send_multi_mtu1500",
            "rxe_iser",
            "rxe_mw_sendinv",
            "rxe_nak_badkey_read",
            "rxe_nak_badkey_write",
            "rxe_nak_badrange",
            "rxe_nak_psn_loss",
            "rxe_nak_readonly",
            "rxe_nak_toolong",
            "rxe_nvme",
            "rxe_rc_send_ipv6",
            "rxe_rc_send_multi",
            "rxe_rc_send_multi_4096",
            "rxe_rc_send_small",
            "rxe_read_multi",
            "rxe_read_multi_mtu1500",
            "rxe_rnr_fail",
            "rxe_rnr_nak",
            "rxe_rping",
            "rxe_send_imm",
            "rxe_srq_send",
            "rxe_write_imm",
            "rxe_write_multi",
            "rxe_write_multi_mtu1500");

    static Stream<Scenario> scenarios() {
        return CAPTURES.stream()
                .flatMap(name -> Arrays.stream(Side.values()).map(side -> detailed(new Scenario(name, side))));
    }

    private static Scenario detailed(Scenario plain) {
        return plain.side() == Side.SERVER ? asServer(plain) : asClient(plain);
    }

    private static Scenario asServer(Scenario plain) {
        return switch (plain.capture()) {
            case "rxe_mw_sendinv" ->
                plain.granting(0x77, 0x7f7b_38a0_a000L, 1 << 20).withWindow(0x800_011b);
            case "rxe_nak_badkey_write" -> plain.granting(0xd47, 0x7f03_3544_3000L, 1 << 20);
            case "rxe_nak_badkey_read" -> plain.granting(0xe50, 0x7f10_8181_5000L, 1 << 20);
            case "rxe_nak_badrange" -> plain.granting(0xfb4, 0x7f7e_d2fb_7000L, 1 << 20);
            case "rxe_nak_readonly" ->
                plain.granting(0x10f2, 0x7f01_a93a_c000L, 1 << 20, EnumSet.of(Right.REMOTE_READ));
            case "rxe_nak_toolong" -> plain.receiving(2000).choosing(Choice.TOO_LONG_IS_INVALID_REQUEST);
            case "rxe_rnr_nak" -> plain.choosing(Choice.SILENCE_BEHIND_RNR);
            case "rxe_srq_send" -> plain.choosing(Choice.SENT_ONCE);
            default -> plain;
        };
    }

    private static Scenario asClient(Scenario plain) {
        return switch (plain.capture()) {
            case "rxe_mw_sendinv",
                    "rxe_nak_badkey_write",
                    "rxe_nak_badkey_read",
                    "rxe_nak_badrange",
                    "rxe_nak_readonly" -> plain.endingIn(Status.REMOTE_ACCESS_ERROR);
            case "rxe_nak_toolong" -> plain.endingIn(Status.REMOTE_OPERATIONAL_ERROR);
            case "rxe_rnr_fail" -> plain.endingIn(Status.RNR_RETRY_EXCEEDED);
            case "rxe_nak_psn_loss" -> plain.losing(0xf0_be49, 0xf0_be5f);
            default -> plain;
        };
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void sendsWhatLinuxSent(Scenario scenario) {
        try (var replay = new Replay(scenario)) {
            replay.play().sentTheSame().completed();
        }
    }
}
