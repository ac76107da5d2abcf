package org.verbena.bench.first;

import java.io.IOException;

/** A process that uses a core all the time, until its standard input ends. */
public final class BusyProcess {
    private BusyProcess() {}

    public static void main(String... arguments) throws IOException {
        Thread.ofPlatform().daemon().start(BusyProcess::spin);
        while (System.in.read() >= 0) {
            // nothing is written there: the end comes with the end of the process that started this one
        }
    }

    private static void spin() {
        long count = 0;
        while (count >= 0) {
            count++;
        }
    }
}
