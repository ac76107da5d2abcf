package org.verbena.interop.subnet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What one sweep of OpenSM has made of a fabric.
 *
 * @param engine the routing engine that was used; empty if the sweep did not come to its end
 * @param errors errors in the log
 * @param files the dumps by name; the lines of files without an order are sorted
 */
record Sweep(String engine, List<String> errors, Map<String, String> files) {
    private static final Pattern USED = Pattern.compile("osm_ucast_mgr_process: ([a-z0-9-]+) tables configured");
    private static final List<String> UNORDERED = List.of("guid2lid");
    private static final List<String> ORDERED = List.of("opensm-lfts.dump", "opensm.fdbs", "opensm-subnet.lst");

    static Sweep run(Seat seat, String engine, String... options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("opensm", "-o", "-d", "2", "-f", "osm.log", "-D", "0x43", "-R", engine));
        command.addAll(List.of(options));
        FinishedTool ended = seat.run("opensm", command.toArray(String[]::new));
        String log = read(seat.folder().resolve("osm.log"));
        List<String> errors = log.lines().filter(line -> line.contains(" ERR ")).toList();
        Matcher used = USED.matcher(log);
        String last = "";
        while (used.find()) {
            last = used.group(1);
        }
        boolean up = ended.status() == 0 && log.contains("SUBNET UP");
        return new Sweep(up ? last : "", errors, dumps(seat.folder()));
    }

    private static Map<String, String> dumps(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (String name : ORDERED) {
            files.put(name, read(folder.resolve(name)));
        }
        for (String name : UNORDERED) {
            files.put(name, read(folder.resolve(name)).lines().sorted().collect(Collectors.joining("\n")));
        }
        return files;
    }

    private static String read(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
    }
}
