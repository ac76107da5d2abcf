package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.fabric.FabricOptions;
import org.verbena.manage.agent.Conduct;

/** The datagrams between OpenSM and our fabric are those between OpenSM and ibsim. */
final class RecordedMadsTest {
    private static final String COMMENT = "#";
    private static final FabricOptions LIKE_IBSIM = FabricOptions.DEFAULT.withConduct(Conduct.IBSIM);

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    @ParameterizedTest
    @CsvSource({"mads.minhop.txt, ''", "mads.qos.txt, -Q"})
    void aSweepHasTheGoldenDatagrams(String golden, String option) throws IOException, InterruptedException {
        Nets net = Nets.TWO_SWITCH;
        List<String> expected = Files.readAllLines(Nets.datagrams(golden)).stream()
                .filter(line -> !line.startsWith(COMMENT))
                .map(RecordedMadsTest::withoutNumberAndTransaction)
                .toList();
        try (ServedFabric ours = ServedFabric.of(net.file(), LIKE_IBSIM)) {
            assertEquals(sorted(expected), sorted(record(ours.port(), net, option)));
        }
    }

    @ParameterizedTest
    @EnumSource(Nets.class)
    void aSweepOfOurFabricHasTheDatagramsOfASweepOfIbsims(Nets net) throws IOException, InterruptedException {
        try (IbsimProcess theirs = IbsimProcess.start(net.file(), folder);
                ServedFabric ours = ServedFabric.of(net.file(), LIKE_IBSIM)) {
            assertEquals(sorted(record(theirs.port(), net, "")), sorted(record(ours.port(), net, "")));
        }
    }

    private List<String> record(int server, Nets net, String option) throws IOException, InterruptedException {
        try (MadRecorder recorder = new MadRecorder(server)) {
            Seat seat = new Seat(recorder.port(), net.host(), folder.resolve("port" + server));
            // One request at a time. With several under way the answers of two parallel cables race in OpenSM, and it
            // goes on by the cable whose answer it sees first.
            List<String> options = new ArrayList<>(List.of("--maxsmps", "1"));
            if (!option.isEmpty()) {
                options.add(option);
            }
            Sweep sweep = Sweep.run(seat, "minhop", options.toArray(String[]::new));
            assertEquals("minhop", sweep.engine(), () -> sweep.errors().toString());
            return recorder.lines();
        }
    }

    /** Columns: number, direction, client, class, method, attribute, modifier, status, hops, transaction, … */
    static String withoutNumberAndTransaction(String line) {
        String[] columns = line.split(" ");
        return Stream.concat(
                        Stream.of(columns).skip(1).limit(8), Stream.of(columns).skip(10))
                .collect(Collectors.joining(" "));
    }

    /** The order of its requests is OpenSM's own. */
    private static String sorted(List<String> lines) {
        return lines.stream().sorted().collect(Collectors.joining("\n"));
    }
}
