package org.verbena.bench.figures;

import java.util.Locale;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Topologies;

/**
 * The first fabric of a process: a program that prints two numbers, the seconds that it took to build and the mebibytes of the heap that are in use after it.
 *
 * <p>Arguments: {@code PORTS} of the switches of a full fat tree of three levels.
 */
final class FabricBuild {
    private FabricBuild() {}

    /** Prints two numbers. */
    public static void main(String... arguments) throws InterruptedException {
        int ports = Integer.parseInt(arguments[0]);
        long startNs = System.nanoTime();
        try (Fabric fabric = Fabric.of(Topologies.threeLevelFatTree(ports))) {
            double seconds = (System.nanoTime() - startNs) / 1e9;
            double mib = ProcessMemory.liveHeapBytes() / (double) (1 << 20);
            int nodes = fabric.nodes().size();
            int expected = ports * ports * ports / 4 + 5 * ports * ports / 4;
            if (nodes != expected) {
                throw new MeasurementException(nodes + " nodes found, " + expected + " expected");
            }
            System.out.printf(Locale.ROOT, "%.3f %.1f%n", seconds, mib);
        }
        System.exit(0);
    }
}
