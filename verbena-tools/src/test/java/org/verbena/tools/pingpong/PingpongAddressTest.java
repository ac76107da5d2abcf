package org.verbena.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.link.Endpoint;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.QueuePairAddress;

/** Addresses as rdma-core's ping-pongs write them; the first is one that ibv_rc_pingpong sent. */
final class PingpongAddressTest {
    private static final String LINUX = "0000:000011:d4a238:00000000000000000000ffffc633640b";

    @Test
    void whatLinuxSaysIsUnderstood() {
        PingpongAddress address = PingpongAddress.parse(LINUX);
        assertEquals(
                new QueuePairAddress(Endpoint.of("198.51.100.11", Endpoint.ROCE_PORT), 0x11, 0xd4a238),
                address.queuePair());
        assertEquals("LID 0x0000, QPN 0x000011, PSN 0xd4a238, GID ::ffff:198.51.100.11", address.toString());
        assertEquals(LINUX, address.encode());
    }

    @ParameterizedTest
    @CsvSource({"2001:db8::1", "fe80::5054:ff:fe00:b", "::1", "2001:0:0:1::", "1:2:3:4:5:6:7:8", "2001:db8:0:1::2"})
    void anIpv6AddressIsPrintedAsEverywhere(String text) {
        PingpongAddress address = PingpongAddress.of(new QueuePairAddress(Endpoint.of(text, 4791), 1, 2));
        assertTrue(address.toString().endsWith("GID " + text), address::toString);
        assertEquals(address, PingpongAddress.parse(address.encode()));
    }

    @Test
    void anotherPortThanRocesIsTold() {
        QueuePairAddress there = new QueuePairAddress(Endpoint.of("192.0.2.1", 50000), 7, 8);
        assertEquals(
                there, PingpongAddress.parse(PingpongAddress.of(there).encode()).queuePair());
    }

    @Test
    void whoHasNoGidIsToldWhatToDo() {
        PingpongAddress nowhere = PingpongAddress.parse("0000:000011:d4a238:" + "0".repeat(32));
        ToolException e = assertThrows(ToolException.class, nowhere::queuePair);
        assertTrue(String.valueOf(e.getMessage()).contains("-g INDEX"), e::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "GET / HTTP/1.1", "0000:000011:d4a238", "0000:00001g:d4a238:00000000000000000000ffffc633640b"
            })
    void somethingElseIsRefused(String text) {
        assertThrows(ToolException.class, () -> PingpongAddress.parse(text));
    }
}
