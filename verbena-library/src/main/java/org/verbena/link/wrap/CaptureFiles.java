package org.verbena.link.wrap;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.verbena.link.LinkException;

/** Files that captures are written to. */
public final class CaptureFiles {
    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);

    private CaptureFiles() {}

    /**
     * A new file that only its owner may read, as it holds the bytes of a network, or an old one that is overwritten.
     *
     * @throws LinkException if the file cannot be written
     */
    public static WritableByteChannel open(java.nio.file.Path file) {
        try {
            return Files.newByteChannel(file, CREATE, ownerOnly(file));
        } catch (IOException e) {
            throw new LinkException(
                    "capture file " + file + ": " + e.getClass().getSimpleName()
                            + " found, a file that can be written expected",
                    e);
        }
    }

    private static FileAttribute<?>[] ownerOnly(java.nio.file.Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
