package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * Three copies of a file in a temporary directory, which is deleted: the client has the source, the server makes the target. A copy
 * ends when the server has closed the target. The contents are compared after the last one.
 */
final class Copies {
    private static final int COPIES = 3;
    private static final int BLOCK = 1 << 20;

    /** Moves the bytes between a file, from its beginning, and the other end. */
    interface Mover {
        void move(FileChannel file, long size) throws IOException, InterruptedException;
    }

    private Copies() {}

    /** Copies as often as the client does. */
    static void serve(Control client, Mover receiver) throws IOException, InterruptedException {
        Path target = Path.of(client.receiveText());
        long size = client.receive();
        for (int copy = 0; copy < COPIES; copy++) {
            try (FileChannel file = FileChannel.open(
                    target,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                client.meet();
                receiver.move(file, size);
            }
            client.meet();
        }
        client.meet();
    }

    /** Makes the file, copies it, compares, prints and deletes. */
    static void measure(Control server, Mover sender, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("verbena-copy");
        Path source = directory.resolve("source");
        Path target = directory.resolve("target");
        try {
            measure(server, sender, make(source, Long.parseLong(arguments.more())), target)
                    .print(out);
        } finally {
            Files.deleteIfExists(source);
            Files.deleteIfExists(target);
            Files.delete(directory);
        }
    }

    private static Readings measure(Control server, Mover sender, Path source, Path target)
            throws IOException, InterruptedException {
        long size = Files.size(source);
        server.sendText(target.toString());
        server.send(size);
        Readings readings = Readings.begin();
        double[] rates = new double[COPIES];
        for (int copy = 0; copy < COPIES; copy++) {
            server.meet();
            long begin = System.nanoTime();
            try (FileChannel file = FileChannel.open(source, StandardOpenOption.READ)) {
                sender.move(file, size);
            }
            server.meet();
            rates[copy] = size * 1e3 / (System.nanoTime() - begin);
        }
        if (Files.mismatch(source, target) >= 0) {
            throw new IllegalStateException("the copy differs at byte " + Files.mismatch(source, target));
        }
        server.meet();
        return readings.with(Reading.FIRST_COPY_MB_PER_SECOND, rates[0])
                .with(Reading.THIRD_COPY_MB_PER_SECOND, rates[COPIES - 1]);
    }

    /** A file whose blocks differ. All of it is on the disk and in the page cache: writing it back does not disturb the copies. */
    private static Path make(Path path, long size) throws IOException {
        byte[] block = new byte[BLOCK];
        new Random(size).nextBytes(block);
        ByteBuffer bytes = ByteBuffer.wrap(block);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (file.position() < size) {
                bytes.clear().putLong(0, file.position()).limit((int) Math.min(BLOCK, size - file.position()));
                file.write(bytes);
            }
            file.force(true);
        }
        return path;
    }
}
