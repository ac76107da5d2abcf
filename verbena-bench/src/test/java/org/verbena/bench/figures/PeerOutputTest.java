package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Values are found in what the programs print; the samples are of the form they print, with numbers of our own. */
final class PeerOutputTest {
    private static final String PERF = """
            {"op": "write", "mode": "bw", "link": "udp", "size": 65536, "messages": 3000, "seconds": 1.500000, \
            "mbytes_per_second": 131.072, "messages_per_second": 2000.0, \
            "latency_us": {"min": 5.000, "p50": 7.250, "p99": 9.000, "p999": 11.000, "max": 40.000}, \
            "allocated_bytes_per_message": 0.002, "errors": 0}
            """;

    @Test
    void ourBandwidthIsMadeOfWhatWasCounted() {
        assertEquals(131.072, VerbenaPerf.bandwidth(PERF), 1e-9);
    }

    @Test
    void ourMedianIsFoundInItsObject() {
        assertEquals(7.25, Json.number(PERF, "latency_us", "p50"));
        assertEquals(0.002, Json.number(PERF, "allocated_bytes_per_message"));
    }

    @Test
    void aNumberThatIsNotThereIsToldWithWhatIsThere() {
        MeasurementException e = assertThrows(MeasurementException.class, () -> Json.number("{\"a\": \"b\"}", "size"));
        assertEquals("no number size in: {\"a\": \"b\"}", e.getMessage());
    }

    @Test
    void bandwidthOfUcxIsTheOverallOneAndInMebibytes() {
        String output =
                "some heading\n[thread 0]  20000   40.100   45.000   50.000   1388.88   1250.00   22222   20000\n";
        assertEquals(1310.72, UcxPerftest.bandwidthOf(output), 1e-9);
    }

    @Test
    void latencyOfUcxIsTheTypicalOneWhateverTheLabel() {
        assertEquals(6.3, UcxPerftest.latencyOf("Final:   20000  6.300  6.500  6.600  0.07  0.06  9000  8800"));
        assertEquals(6.3, UcxPerftest.latencyOf("        20000  6.300  6.500  6.600  0.07  0.06  9000  8800\n"));
    }

    @Test
    void aLineOfUcxThatIsNoLineOfNumbersIsTold() {
        assertThrows(MeasurementException.class, () -> UcxPerftest.latencyOf("no route to host"));
        assertThrows(MeasurementException.class, () -> UcxPerftest.latencyOf(""));
    }

    @Test
    void aRoundTripIsTwoMessages() {
        assertEquals(0.004, VerbenaPerf.pingpongRate(PERF), 1e-12);
    }

    @Test
    void libfabricHasARateAndABandwidth() {
        String output = """
                bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
                4k      5k      =5k      39m         0.20s    200.00      20.00       0.05
                """;
        assertEquals(0.05, FiPingpong.rateOf(output), 1e-12);
        assertEquals(200, FiPingpong.bandwidthOf(output), 1e-12);
        assertThrows(MeasurementException.class, () -> FiPingpong.rateOf("fi_getinfo(): No data available"));
    }

    @Test
    void iperf3CountsWhatWasReceived() {
        String json = """
                {"end": {"streams": [{"sender": {"bits_per_second": 9.0e10}}],
                  "sum_sent": {"bytes": 1, "bits_per_second": 8.8e10, "sender": true},
                  "sum_received": {"start": 0, "seconds": 2.0, "bytes": 4000, "bits_per_second": 1.6e10, "sender": true}}}
                """;
        assertEquals(2000, Iperf3.bandwidthOf(json), 1e-9);
    }

    @Test
    void theMedianOfABenchmarkIsFoundAmongItsPercentiles() {
        String output = """
                Benchmark                              Mode  Cnt   Score   Error  Units
                PostPollBenchmark.postAndPoll        sample  300  41.500 ± 1.250  ns/op
                PostPollBenchmark.postAndPoll:p0.00  sample       38.000          ns/op
                PostPollBenchmark.postAndPoll:p0.50  sample       40.250          ns/op
                """;
        assertEquals(40.25, OwnProcess.medianOf(output));
        assertThrows(MeasurementException.class, () -> OwnProcess.medianOf("nothing"));
    }

    @Test
    void ticksOfAProcessAreFoundBehindItsName() {
        assertEquals(
                10 + 20 + 300 + 4000,
                OtherLoad.ownTicks("17 (a ) name) S 1 2 3 4 5 6 7 8 9 10 10 20 300 4000 20 0 1 0 5"));
    }
}
