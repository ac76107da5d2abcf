package org.verbena.tools.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;

/**
 * A line on a terminal, or a few, written over and over while a command works, and gone when it is closed. A thread of its
 * own writes it; without a terminal nothing is ever written.
 */
public final class LiveLine implements AutoCloseable {
    private static final long PERIOD_MS = 250;
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean shown;
    private final Supplier<String> text;
    private final Thread thread;
    private volatile boolean closed;
    /** Lines above the one where the cursor is. */
    private int linesAbove;

    /**
     * Begins to show the text of the supplier, a few times a second.
     *
     * @param shown false writes nothing, but still asks the supplier: it may have something else to do at that pace
     */
    public LiveLine(PrintWriter out, boolean shown, Supplier<String> text) {
        this.out = out;
        this.shown = shown;
        this.text = text;
        this.thread = Thread.ofPlatform().daemon(true).name("live line").start(this::run);
    }

    private void run() {
        while (!closed) {
            try {
                Thread.sleep(PERIOD_MS);
            } catch (InterruptedException closing) {
                return;
            }
            String line = text.get();
            if (shown) {
                out.print(erase() + fitted(line));
                out.flush();
            }
        }
    }

    private String erase() {
        String erase = linesAbove == 0 ? ERASE : "\r\u001b[" + linesAbove + "A\u001b[J";
        linesAbove = 0;
        return erase;
    }

    /** A line that the terminal would break, or that it would scroll away, could not be found again. */
    private String fitted(String text) {
        int width = Terminal.columns() - 1;
        List<String> lines = text.lines()
                .limit(Terminal.rows() - 1)
                .map(line -> line.length() > width ? line.substring(0, width) : line)
                .toList();
        linesAbove = Math.max(0, lines.size() - 1);
        return String.join("\n", lines);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (shown) {
            out.print(erase());
            out.flush();
        }
    }
}
