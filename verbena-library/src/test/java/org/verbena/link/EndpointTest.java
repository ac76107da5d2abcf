package org.verbena.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class EndpointTest {
    @Test
    void ipv4AddressesAreMapped() {
        Endpoint endpoint = Endpoint.of("10.1.2.3", 4791);
        assertFalse(endpoint.ipv6());
        assertEquals(0, endpoint.high());
        assertEquals(0x0000_ffff_0a01_0203L, endpoint.low());
        assertEquals(endpoint, Endpoint.of(endpoint.high(), endpoint.low(), 4791));
        assertEquals("10.1.2.3:4791", endpoint.toString());
    }

    @Test
    void ipv6AddressesAreThemselves() {
        Endpoint endpoint = Endpoint.of("2001:db8::ff", 7);
        assertTrue(endpoint.ipv6());
        assertEquals(0x2001_0db8_0000_0000L, endpoint.high());
        assertEquals(0xff, endpoint.low());
        assertEquals(endpoint, Endpoint.of(endpoint.high(), endpoint.low(), 7));
        assertEquals("[2001:db8:0:0:0:0:0:ff]:7", endpoint.toString());
    }

    @Test
    void portsAndHostsThatCannotBeAreRefused() {
        assertThrows(LinkException.class, () -> Endpoint.of("10.1.2.3", 65536));
        assertThrows(LinkException.class, () -> Endpoint.of("10.1.2.3", -1));
        assertThrows(LinkException.class, () -> Endpoint.of("10.1.2.300", 1));
    }
}
