package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The figures of the registration table. */
final class RegistrationFigures {
    private static final String NAME = "registration table: ";
    private static final long PAGE = 4096;

    private final int seconds;

    RegistrationFigures(int seconds) {
        this.seconds = seconds;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        Stream.of("uniform", "skewed").map(RegistrationFigures::hit).forEach(all::add);
        Stream.of(4L << 10, 1L << 20, 64L << 20).map(RegistrationFigures::miss).forEach(all::add);
        Stream.of(4L << 10, 1L << 20).map(RegistrationFigures::managed).forEach(all::add);
        Stream.of(4 << 10, 64 << 10, 1 << 20).map(this::writes).forEach(all::add);
        return all;
    }

    private static Figure hit(String order) {
        return new Figure(
                NAME + "hit among 10,000 entries, " + order,
                "ns",
                List.of(OwnProcess.registrations("look-up and count", "hit", order)),
                List.of(new Requirement.AtMost(40)));
    }

    private static Figure miss(long bytes) {
        return new Figure(
                NAME + "miss and registration of " + bytes / 1024 + " KiB, without mlock",
                "µs",
                List.of(OwnProcess.registrations("miss", "miss", "" + bytes)),
                List.of(new Requirement.AtMost(2)));
    }

    private static Figure managed(long bytes) {
        return new Figure(
                NAME + "registration of managed memory, " + bytes / 1024 + " KiB",
                "µs",
                List.of(OwnProcess.registrations("register", "managed", "" + bytes)),
                List.of(new Requirement.AtMost(2 + (double) bytes / PAGE / 100)));
    }

    private Figure writes(int bytes) {
        String size = Integer.toString(bytes);
        return new Figure(
                NAME + "RC write " + bytes / 1024 + " KiB from 1,000 buffers, UDP loopback",
                "MB/s",
                List.of(OwnProcess.registrations("through the table", "writes", size, "table", "" + seconds)),
                List.of(new Requirement.AtLeastPeer(
                        0.95,
                        OwnProcess.registrations("one registered buffer", "writes", size, "region", "" + seconds))));
    }
}
