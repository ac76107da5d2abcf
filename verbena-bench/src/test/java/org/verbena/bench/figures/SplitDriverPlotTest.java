package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class SplitDriverPlotTest {
    private final Subject pushPush = new Measured("push-push", 2);
    private final Subject pushPull = new Measured("push-pull", 4);
    private final Subject pullPull = new Measured("pull-pull", 8);
    private final Samples samples = new Samples();

    private SplitDriverPlot plot() {
        List<Subject> subjects = List.of(pushPush, pushPull, pullPull);
        return new SplitDriverPlot(
                List.of(
                        new SplitDriverFigures.Latency(FabricLink.Kind.UDP, 64, "p50", subjects),
                        new SplitDriverFigures.Latency(FabricLink.Kind.UDP, 64, "p99", subjects)),
                samples);
    }

    @Test
    void aPlotWithoutMeasurementsIsEmpty() {
        assertTrue(plot().isEmpty());
        samples.add(pullPull, 1);
        assertFalse(plot().isEmpty());
    }

    @Test
    void eachMeasuredModelHasABar() throws Exception {
        samples.add(pushPush, 2);
        samples.add(pushPull, 4);
        samples.add(pullPull, 8);
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(String.join("\n", plot().lines()))));
        // The background, a bar for each model, and a square of the legend for each.
        assertEquals(1 + 3 + 3, svg.getElementsByTagName("rect").getLength());
        assertEquals(3, svg.getElementsByTagName("path").getLength());
        // The axis ends at 8: the bar of 8 has the whole height of the panel, that of 2 a quarter.
        String lines = String.join("\n", plot().lines());
        assertTrue(lines.contains("height=\"220.0\" fill=\"#999999\""), lines);
        assertTrue(lines.contains("height=\"55.0\" fill=\"#1b6ca8\""), lines);
    }

    @Test
    void pingsMedianIsInTheMiddleOfItsTimes() {
        String printed = "64 bytes: icmp_seq=1 ttl=64 time=0.9 ms\n64 bytes: time=0.040 ms\nx time=0.050 ms\nrtt min";
        assertEquals(50, LanPrograms.medianUs(printed), 1e-9);
    }
}
