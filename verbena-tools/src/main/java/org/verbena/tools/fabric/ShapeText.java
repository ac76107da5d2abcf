package org.verbena.tools.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.verbena.fabric.topology.Topologies;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyException;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;

/** A shape of a topology as text: a name and numbers, such as {@code ring:6,2}. */
final class ShapeText {
    private static final Pattern NUMBERS = Pattern.compile("\\d{1,9}(,\\d{1,9})*");
    private static final Pattern SIZES = Pattern.compile("\\d{1,9}(x\\d{1,9})*,\\d{1,9}");

    /** What its numbers mean, and its maker. */
    private record Shape(String numbers, Pattern pattern, Function<int[], Topology> maker) {}

    private static final Map<String, Shape> SHAPES = new TreeMap<>(Map.of(
            "example",
            new Shape("", Pattern.compile(""), _ -> Topologies.systemAreaNetwork()),
            "two-switches",
            shape(
                    "HOSTS,CABLES",
                    numbers -> Topologies.twoSwitches(numbers[0], numbers[1], LinkWidth.X4, LinkSpeed.EDR)),
            "ring",
            shape("SWITCHES,HOSTS", numbers -> Topologies.ring(numbers[0], numbers[1])),
            "mesh",
            new Shape("XxY…,HOSTS", SIZES, numbers -> Topologies.mesh(last(numbers), sizes(numbers))),
            "torus",
            new Shape("XxY…,HOSTS", SIZES, numbers -> Topologies.torus(last(numbers), sizes(numbers))),
            "fat-tree2",
            shape(
                    "LEAVES,SPINES,HOSTS,CABLES",
                    numbers -> Topologies.twoLevelFatTree(numbers[0], numbers[1], numbers[2], numbers[3])),
            "fat-tree",
            new Shape(
                    "PORTS[,PODS]",
                    Pattern.compile("\\d{1,9}(,\\d{1,9})?"),
                    numbers -> Topologies.threeLevelFatTree(numbers[0], last(numbers))),
            "dragonfly",
            shape(
                    "GROUPS,SWITCHES,HOSTS,GLOBAL",
                    numbers -> Topologies.dragonfly(numbers[0], numbers[1], numbers[2], numbers[3])),
            "irregular",
            shape(
                    "SEED,SWITCHES,PORTS,HOSTS,MORE-CABLES",
                    numbers -> Topologies.irregular(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]))));

    private ShapeText() {}

    /** Every shape with the meaning of its numbers. */
    static List<String> all() {
        return SHAPES.entrySet().stream()
                .map(shape ->
                        shape.getKey() + (shape.getValue().numbers.isEmpty() ? "" : ":" + shape.getValue().numbers))
                .toList();
    }

    /**
     * The topology of a text.
     *
     * @throws IllegalArgumentException if there is no such shape, or its numbers are not possible
     */
    static Topology topology(String text) {
        int colon = text.indexOf(':');
        Shape shape = SHAPES.get(colon < 0 ? text : text.substring(0, colon));
        if (shape == null) {
            throw new IllegalArgumentException(
                    "shape '" + text + "' found, " + all().stream().collect(Collectors.joining(" or ")) + " expected");
        }
        String numbers = colon < 0 ? "" : text.substring(colon + 1);
        if (!shape.pattern.matcher(numbers).matches() || !hasCount(shape, numbers)) {
            throw new IllegalArgumentException(
                    "shape '" + text + "' found, " + text.substring(0, colon < 0 ? text.length() : colon)
                            + (shape.numbers.isEmpty() ? "" : ":" + shape.numbers) + " expected");
        }
        try {
            return shape.maker.apply(
                    numbers.isEmpty()
                            ? new int[0]
                            : Arrays.stream(numbers.split("[x,]"))
                                    .mapToInt(Integer::parseInt)
                                    .toArray());
        } catch (TopologyException e) {
            throw new IllegalArgumentException("shape '" + text + "': " + e.getMessage(), e);
        }
    }

    private static Shape shape(String numbers, Function<int[], Topology> maker) {
        return new Shape(numbers, NUMBERS, maker);
    }

    private static boolean hasCount(Shape shape, String numbers) {
        return shape.pattern != NUMBERS || commas(numbers) == commas(shape.numbers);
    }

    private static long commas(String text) {
        return text.chars().filter(sign -> sign == ',').count();
    }

    private static int last(int[] numbers) {
        return numbers[numbers.length - 1];
    }

    private static int[] sizes(int[] numbers) {
        return Arrays.copyOf(numbers, numbers.length - 1);
    }
}
