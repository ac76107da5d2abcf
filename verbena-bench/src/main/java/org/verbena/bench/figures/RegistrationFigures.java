package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The figures of the registration table. */
final class RegistrationFigures {
    private static final String NAME = "registration table: ";
    private static final long PAGE = 4096;
    /** Bytes that the virtual machine itself allocates; more is an allocation of the look-up. */
    private static final double RESIDUE = 0.05;

    private final int seconds;

    RegistrationFigures(int seconds) {
        this.seconds = seconds;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        for (String age : List.of("old", "new")) {
            Stream.of("uniform", "skewed").map(order -> hit(order, age)).forEach(all::add);
        }
        all.add(new Figure(
                NAME + "hit among 10,000 entries, allocation",
                "B",
                List.of(OwnProcess.registrations("look-up and count", RegistrationCost.class, "allocation")),
                List.of(new Requirement.Nothing(RESIDUE))));
        for (String pages : List.of("untouched", "touched")) {
            Stream.of(4L << 10, 64L << 10, 1L << 20, 64L << 20)
                    .map(bytes -> miss(bytes, pages))
                    .forEach(all::add);
        }
        Stream.of(4L << 10, 1L << 20, 64L << 20)
                .map(RegistrationFigures::managed)
                .forEach(all::add);
        Stream.of(4 << 10, 64 << 10, 1 << 20).map(this::writes).forEach(all::add);
        return all;
    }

    private static Figure hit(String order, String age) {
        return new Figure(
                NAME + "hit among 10,000 " + age + " entries, " + order,
                "ns",
                List.of(OwnProcess.registrations("look-up and count", RegistrationCost.class, "hit", order, age)),
                List.of(new Requirement.AtMost(40)));
    }

    private static Figure miss(long bytes, String pages) {
        return new Figure(
                NAME + "miss and registration of " + bytes / 1024 + " KiB, pages " + pages + ", beyond mlock",
                "µs",
                List.of(miss("miss, minus mlock in the same process", bytes, pages, "beyond")),
                List.of(
                        new Requirement.AtMost(2),
                        new Requirement.Beside(miss("mlock alone", bytes, pages, "mlock"), false)));
    }

    private static OwnProcess miss(String name, long bytes, String pages, String what) {
        return OwnProcess.registrations(name, RegistrationMiss.class, "" + bytes, pages, what);
    }

    private static Figure managed(long bytes) {
        double limitUs = (200 + bytes / PAGE) / 100.0;
        return new Figure(
                NAME + "registration of managed memory, " + bytes / 1024 + " KiB",
                "µs",
                List.of(OwnProcess.registrations("register", RegistrationCost.class, "managed", "" + bytes)),
                List.of(new Requirement.AtMost(limitUs)));
    }

    private Figure writes(int bytes) {
        return new Figure(
                NAME + "RC write " + bytes / 1024 + " KiB from 1,000 buffers, UDP loopback",
                "MB/s",
                List.of(writes("through the table", bytes, "table")),
                List.of(
                        new Requirement.AtLeastPeer(0.95, writes("one registered buffer", bytes, "region")),
                        new Requirement.Beside(writes("1,000 registered buffers", bytes, "regions"), true)));
    }

    private OwnProcess writes(String name, int bytes, String source) {
        return OwnProcess.registrations(name, RegistrationWrites.class, "" + bytes, source, "" + seconds);
    }
}
