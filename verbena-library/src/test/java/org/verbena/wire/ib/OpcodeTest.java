package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class OpcodeTest {
    @ParameterizedTest
    @EnumSource
    void rowIsFoundByItsCodeAndNamedAfterItsService(Opcode opcode) {
        assertSame(opcode, Opcode.of(opcode.code()));
        assertTrue(opcode.name().startsWith(opcode.service().name()));
        assertEquals(opcode.service().code(), opcode.code() >>> 5);
    }

    @ParameterizedTest
    @EnumSource
    void nameTellsPositionAndExtras(Opcode opcode) {
        String name = opcode.name();
        assertEquals(name.endsWith("_IMMEDIATE"), opcode.carriesImmediate());
        assertEquals(name.endsWith("_INVALIDATE"), opcode.carriesInvalidate());
        for (Position position : Position.values()) {
            if (name.contains("_" + position)) {
                assertEquals(position, opcode.position());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void offsetsFollowTheOrderOfTheHeaders(Opcode opcode) {
        int at = Bth.LENGTH;
        for (Extension extension : opcode.extensions()) {
            assertEquals(at, opcode.offsetOf(extension));
            assertTrue(opcode.carries(extension));
            at += extension.length();
        }
        assertEquals(at, opcode.headerLength());
        for (Extension extension : Extension.values()) {
            assertEquals(opcode.extensions().contains(extension), opcode.carries(extension));
            assertEquals(opcode.carries(extension), opcode.offsetOf(extension) >= 0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0x00,12", "0x03,16", "0x06,28", "0x0b,32", "0x0c,28", "0x0d,16", "0x0e,12", "0x11,16", "0x12,24", "0x13,40",
        "0x17,16", "0x1c,32", "0x1d,28", "0x24,12", "0x2b,32", "0x44,24", "0x4b,44", "0x4e,16", "0x51,20", "0x53,52",
        "0x55,24", "0x64,20", "0x65,24", "0x81,28", "0xa4,16", "0xab,36", "0xb1,16", "0xb3,44", "0xb7,20"
    })
    void headerLengthIsThatOfTheSpecification(String code, int length) {
        Opcode opcode = Opcode.of(Integer.decode(code));
        assertNotNull(opcode);
        assertEquals(length, opcode.headerLength());
    }

    @Test
    void reservedCodesHaveNoRow() {
        for (int code : List.of(0x15, 0x18, 0x1b, 0x1e, 0x2c, 0x56, 0x60, 0x66, 0x80, 0xb5, 0xc0, 0xff)) {
            assertNull(Opcode.of(code));
        }
        assertNull(TransportService.ofOpcode(0xff));
        assertEquals(25 + 12 + 22 + 2 + 1 + 23, Opcode.values().length);
    }

    @Test
    void headersOfReliableDatagramWriteAreInOrder() {
        assertEquals(
                List.of(Extension.RDETH, Extension.DETH, Extension.RETH, Extension.IMMDT),
                Opcode.RD_RDMA_WRITE_ONLY_WITH_IMMEDIATE.extensions());
    }

    @Test
    void requestsAndResponsesAreToldApart() {
        assertTrue(Opcode.RC_RDMA_READ_REQUEST.isRequest());
        assertFalse(Opcode.RC_RDMA_READ_REQUEST.hasPayload());
        assertTrue(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE.isResponse());
        assertTrue(Opcode.RC_ACKNOWLEDGE.isResponse());
        assertTrue(Opcode.RC_FETCH_ADD.isAtomic());
        assertFalse(Opcode.RC_ATOMIC_WRITE.isAtomic());
        assertTrue(Opcode.RC_ATOMIC_WRITE.hasPayload());
        assertFalse(Opcode.CNP.isRequest() || Opcode.CNP.isResponse());
    }

    @ParameterizedTest
    @EnumSource
    void onlyFirstAndOnlyStartAndOnlyLastAndOnlyEndAMessage(Opcode opcode) {
        assertEquals(opcode.name().contains("_FIRST") || opcode.position() == Position.ONLY, opcode.startsMessage());
        assertEquals(opcode.name().contains("_LAST") || opcode.position() == Position.ONLY, opcode.endsMessage());
    }

    @Test
    void payloadIsTheRestBetweenHeadersAndPadding() {
        assertEquals(61, Opcode.RC_SEND_ONLY.payloadLength(12 + 61 + 3 + 4, 3));
        assertEquals(0, Opcode.RC_ACKNOWLEDGE.payloadLength(20, 0));
        assertTrue(Opcode.RC_RDMA_WRITE_ONLY.payloadLength(31, 0) < 0);
    }
}
