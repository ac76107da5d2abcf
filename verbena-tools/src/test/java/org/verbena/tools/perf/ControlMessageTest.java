package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Mtu;
import org.verbena.link.Endpoint;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.RemoteMemory;

final class ControlMessageTest {
    @Test
    void anyValueSurvivesTheLine() {
        ControlMessage message = ControlMessage.of("refused", "reason", "50 % = \"half\"\nµ & more");
        assertEquals(1, message.encode().lines().count());
        assertEquals(message, ControlMessage.parse(message.encode()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1", "plan size", "plan =3", "plan a=%zz", "PLAN", "plan  a=1"})
    void whatIsNoMessageIsShownAndRefused(String line) {
        String message = String.valueOf(assertThrows(ToolException.class, () -> ControlMessage.parse(line))
                .getMessage());
        assertTrue(message.contains("\"" + line + "\" found"), message);
    }

    @Test
    void tooManyFieldsAreRefused() {
        assertThrows(ToolException.class, () -> ControlMessage.parse("plan" + " a=1".repeat(33)));
    }

    @Test
    void numbersAreBounded() {
        ControlMessage message = ControlMessage.parse("side qp=5 psn=x port=99999999999999999999");
        assertEquals(5, message.number("qp", 0, 10));
        assertThrows(ToolException.class, () -> message.number("qp", 6, 10));
        assertThrows(ToolException.class, () -> message.number("psn", 0, 10));
        assertThrows(ToolException.class, () -> message.number("port", 0, 10));
        assertThrows(ToolException.class, () -> message.number("absent", 0, 10));
    }

    @ParameterizedTest
    @EnumSource(PerfOperation.class)
    void plansAreTheSameAtTheOtherEnd(PerfOperation operation) {
        for (PerfMode mode : PerfMode.values()) {
            PerfPlan plan = PerfPlan.of(operation, mode)
                    .withVerify(mode == PerfMode.LATENCY)
                    .withMtu(mode == PerfMode.LATENCY ? Mtu.MTU_512 : null);
            assertEquals(
                    plan,
                    ControlCodec.plan(
                            ControlMessage.parse(ControlCodec.plan(plan).encode())));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "fe80::1"})
    void sidesAreTheSameAtTheOtherEnd(String address) {
        SideAddress side = new SideAddress(
                new QueuePairAddress(Endpoint.of(address, 4791), 0xabcdef, 0xffffff),
                new RemoteMemory(-4096, 0x8000_0001),
                Mtu.MTU_2048);
        assertEquals(
                side,
                ControlCodec.side(ControlMessage.parse(ControlCodec.side(side).encode())));
    }

    @Test
    void aNameInsteadOfAnAddressIsNotLookedUp() {
        ControlMessage message =
                ControlMessage.parse("side address=example.org port=1 qp=1 psn=1 memory=1 key=1 mtu=256");
        assertThrows(ToolException.class, () -> ControlCodec.side(message));
    }
}
