package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which numbers and sizes of elements a pool can have. The limits are 100 elements of 1,000 bytes. */
final class PoolShapesTest {
    @ParameterizedTest
    @CsvSource({
        // address, elements, elementBytes, right
        "0, 1, 1, true",
        "0, 100, 1000, true",
        "0, 0, 1, false",
        "0, 1, 0, false",
        "0, -1, 1, false",
        "0, 1, -1, false",
        "0, 101, 1, false",
        "0, 1, 1001, false",
        "-1, 1, 1, true", // the last byte of all
        "-1, 1, 2, false",
        "-100000, 100, 1000, true",
        "-99999, 100, 1000, false",
        "0x7fffffffffffffff, 100, 1000, true" // addresses are unsigned
    })
    void aPoolHasElementsWithinItsLimitsAndItsAddresses(String address, int elements, int elementBytes, boolean right) {
        BufferRecvPool pool = new BufferRecvPool(0, Long.decode(address), 1, elements, elementBytes, 7);
        assertEquals(right, pool.hasShape(100, 1000));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, true",
        "100, 1000, true",
        "0, 1, false",
        "1, 0, false",
        "-1, 1, false",
        "1, -1, false",
        "101, 1, false",
        "1, 1001, false"
    })
    void aPoolThatIsAskedForHasElementsWithinTheLimits(int elements, int elementBytes, boolean right) {
        assertEquals(right, new BufferRecvPoolGet(elementBytes, elements).hasShape(100, 1000));
    }

    @ParameterizedTest
    @CsvSource({"2147483647, 2147483647, 4611686014132420609", "3, 5, 15"})
    void theBytesOfAllElementsAreExact(int elements, int elementBytes, long bytes) {
        assertEquals(bytes, new BufferRecvPool(0, 0, 0, elements, elementBytes, 0).bytes());
    }
}
