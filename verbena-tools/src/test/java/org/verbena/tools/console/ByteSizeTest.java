package org.verbena.tools.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "8, 8",
        "8B, 8",
        "64K, 65536",
        "64k, 65536",
        "64KiB, 65536",
        "3M, 3145728",
        "1G, 1073741824",
        "1gib, 1073741824"
    })
    void unitsArePowersOf1024(String text, long bytes) {
        assertEquals(bytes, new ByteSize().convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-1", "1.5K", "64KB", "1T", "many", "9223372036854775807", "999999999999999999G"})
    void anythingElseIsNamedAndWhatIsExpectedIsShown(String text) {
        String message = String.valueOf(assertThrows(TypeConversionException.class, () -> new ByteSize().convert(text))
                .getMessage());
        assertTrue(message.contains("'" + text + "'") && message.contains("64K"), message);
    }
}
