package org.verbena.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SampleTest {
    @Test
    void percentilesAreValuesThatWereThere() {
        Sample sample =
                Sample.of(LongStream.rangeClosed(1, 2000).map(i -> 2001 - i).toArray());
        assertEquals(2000, sample.size());
        assertEquals(1000, sample.median());
        assertEquals(1980, sample.p99());
        assertEquals(1, sample.percentile(0));
        assertEquals(2000, sample.percentile(1));
        assertTrue(Double.isNaN(new Sample().median()));
    }
}
