package org.verbena.fabric.topology;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Net files in a folder. The only class of topologies that opens files. */
final class NetFolder implements NetSource {
    /** A file of 48 k hosts has about 30 MB. */
    private static final long BYTES_MAX = 256L << 20;

    private final Path main;

    /** The folder of a file. Names other than the file's are relative to the folder. */
    NetFolder(Path main) {
        this.main = main;
    }

    @Override
    public String text(String name) {
        try {
            Path file = name.equals(main.toString()) ? main : main.resolveSibling(name);
            if (Files.isRegularFile(file) && Files.size(file) > BYTES_MAX) {
                throw new TopologyException(
                        name + " has " + Files.size(file) + " bytes, at most " + BYTES_MAX + " are expected");
            }
            // Descriptions of nodes may have any bytes.
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new TopologyException("no file \"" + name + "\" found");
        } catch (IOException e) {
            throw new TopologyException("file \"" + name + "\" cannot be read: " + e.getMessage());
        }
    }
}
