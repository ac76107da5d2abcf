package org.verbena;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that git tracks in the checkout these tests run from, as they are in the working tree. */
record Checkout(Path root, List<TrackedFile> files) {
    /** A tracked file with its path below the root, always with slashes, and its content read as UTF-8. */
    record TrackedFile(String path, String text, boolean isText) {
        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        String directory() {
            return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
        }

        boolean isJava() {
            return path.endsWith(".java");
        }
    }

    /** The nearest directory above the current one that git knows, if there is any. */
    static Optional<Path> findRoot() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.exists(directory.resolve(".git"))) {
            directory = directory.getParent();
        }
        return Optional.ofNullable(directory);
    }

    /** Reads all tracked files; throws with git's own words if git is missing or refuses. */
    static Checkout read(Path root) throws IOException, InterruptedException {
        List<TrackedFile> files = new ArrayList<>();
        for (String path : trackedPaths(root)) {
            Path file = root.resolve(path);
            if (Files.isRegularFile(file)) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                files.add(new TrackedFile(path, text, text.indexOf('\0') < 0 && !path.contains("FuzzTestInputs/")));
            }
        }
        return new Checkout(root, List.copyOf(files));
    }

    private static List<String> trackedPaths(Path root) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "-c", "safe.directory=*", "ls-files", "-z")
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exitCode = git.waitFor();
        if (exitCode != 0) {
            throw new IOException("git ls-files in " + root + " ended with " + exitCode);
        }
        return Stream.of(output.split("\0")).filter(path -> !path.isEmpty()).toList();
    }

    Stream<TrackedFile> texts() {
        return files.stream().filter(TrackedFile::isText);
    }

    Stream<TrackedFile> java() {
        return files.stream().filter(TrackedFile::isJava);
    }
}
