package org.verbena.interop.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A script that keeps something up until its standard input ends: by our close, or because this process is gone. */
final class Guarded implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final Process process;
    private final BufferedReader out;

    private Guarded(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    static Guarded start(String... command) throws IOException {
        return new Guarded(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line it says, which must begin with this; answers the rest of it. */
    String expect(String begin) throws IOException {
        @Nullable String line = out.readLine();
        if (line == null || !line.startsWith(begin)) {
            throw new IOException(process.info().commandLine().orElse("a script") + " said \"" + line + "\", \"" + begin
                    + "\" expected");
        }
        return line.substring(begin.length()).strip();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
        }
    }
}
