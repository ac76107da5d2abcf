package org.verbena.memory.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The file of a store. Only its owner may open it. It is unlinked as soon as it is open, so that nothing is left of it however the
 * process ends. If it cannot be unlinked then, that is tried again at the close.
 */
final class PageFile {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    /** Names tried in a directory until one is free. */
    private static final int NAMES_MAX = 1000;

    private final LinuxFileCalls calls = new LinuxFileCalls();
    private final Path path;
    private final int fd;
    private final boolean direct;
    private boolean named;

    private PageFile(Path path, boolean directWanted) {
        this.path = path;
        this.fd = calls.create(path);
        if (fd < 0) {
            this.direct = false;
            return;
        }
        this.named = true;
        unlink();
        this.direct = directWanted && goDirect();
    }

    /** @throws UncheckedIOException if the file cannot be created */
    static PageFile create(Path wanted, boolean directWanted) {
        if (Files.isDirectory(wanted)) {
            return createIn(wanted, directWanted);
        }
        Path parent = wanted.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw failure(wanted, "neither a directory nor a new file in one: there is no directory " + parent);
        }
        PageFile file = new PageFile(wanted, directWanted);
        if (file.fd == -FileCalls.EEXIST) {
            throw failure(wanted, "exists already; a directory or the name of a new file expected");
        }
        return file.checked();
    }

    private static PageFile createIn(Path directory, boolean directWanted) {
        long pid = ProcessHandle.current().pid();
        PageFile file;
        int tries = 0;
        do {
            String name = "verbena-" + pid + "-" + NUMBERS.incrementAndGet() + ".pages";
            file = new PageFile(directory.resolve(name), directWanted);
        } while (file.fd == -FileCalls.EEXIST && ++tries < NAMES_MAX);
        return file.checked();
    }

    private PageFile checked() {
        if (fd < 0) {
            throw failure(path, LinuxFileCalls.describe(-fd));
        }
        return this;
    }

    private static UncheckedIOException failure(Path path, String reason) {
        return new UncheckedIOException(new IOException("cannot create page file " + path + ": " + reason));
    }

    /** Some file systems accept the flag and refuse the transfers, so one transfer is tried. */
    private boolean goDirect() {
        if (LinuxFileCalls.directFlag() == 0 || calls.setDirect(fd, true) < 0) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(PageStore.PAGE, PageStore.PAGE);
            MemorySegment vector = arena.allocateFrom(ValueLayout.JAVA_LONG, page.address(), PageStore.PAGE);
            boolean refused = calls.pwritev(fd, vector.address(), 1, 0) == -FileCalls.EINVAL;
            calls.punchHole(fd, 0, PageStore.PAGE);
            return !refused || calls.setDirect(fd, false) < 0;
        }
    }

    private void unlink() {
        try {
            Files.deleteIfExists(path);
            named = false;
        } catch (IOException e) {
            // Tried again at the close.
            named = true;
        }
    }

    int fd() {
        return fd;
    }

    boolean direct() {
        return direct;
    }

    Path path() {
        return path;
    }

    void close() {
        calls.close(fd);
        if (named) {
            unlink();
        }
    }
}
