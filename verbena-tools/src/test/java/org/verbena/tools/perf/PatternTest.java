package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PatternTest {
    private final MemorySegment memory = MemorySegment.ofArray(new long[16]);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 15, 64, 100})
    void whatWasFilledIsRecognizedAndNothingElseIsTouched(int length) {
        Pattern.fill(memory, 3, length, 42);
        assertEquals(Pattern.NONE, Pattern.mismatch(memory, 3, length, 42));
        assertEquals(-1, memory.asSlice(3 + length).mismatch(MemorySegment.ofArray(new byte[125 - length])));
    }

    @Test
    void everySingleWrongByteIsFound() {
        for (int i = 0; i < 29; i++) {
            Pattern.fill(memory, 0, 29, 5);
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) ~memory.get(ValueLayout.JAVA_BYTE, i));
            assertNotEquals(Pattern.NONE, Pattern.mismatch(memory, 0, 29, 5), "byte " + i);
        }
    }

    @Test
    void anotherMessageIsNotTakenForThisOne() {
        Pattern.fill(memory, 0, 8, 7);
        for (long message = 0; message < 1000; message++) {
            if (message != 7) {
                assertNotEquals(Pattern.NONE, Pattern.mismatch(memory, 0, 8, message));
            }
        }
    }

    @Test
    void anyWordTellsItsMessage() {
        for (long message : new long[] {0, 1, 7, 1L << 32 | 5, Long.MAX_VALUE, -3}) {
            Pattern.fill(memory, 0, 24, message);
            for (int place = 0; place < 24; place += 8) {
                long word = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, place);
                assertEquals(message, Pattern.messageOf(word, place));
            }
        }
    }
}
