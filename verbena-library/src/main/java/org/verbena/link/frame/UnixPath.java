package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.verbena.link.linux.LinuxStructs.*;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;

/** The path of a datagram socket of Unix, as an address of Linux. */
final class UnixPath {
    /** Bytes of the longest path: the address has one more, for the zero at its end. */
    private static final int PATH_BYTES_MAX = 107;

    private static final int FILE_KIND = 0xf000;
    private static final int SOCKET = 0xc000;

    private final Path path;
    private final MemorySegment address = Arena.ofAuto().allocate(SOCKADDR_UN.byteSize(), 8);
    private final int addressLength;

    UnixPath(Path path) {
        this.path = path;
        byte[] bytes = path.toString().getBytes(UTF_8);
        if (bytes.length == 0 || bytes.length > PATH_BYTES_MAX) {
            throw new LinkException("socket path \"" + path + "\" of " + bytes.length + " bytes found, 1 … "
                    + PATH_BYTES_MAX + " expected");
        }
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, Short.BYTES, bytes.length);
        addressLength = Short.BYTES + bytes.length + 1;
    }

    long address() {
        return address.address();
    }

    int addressLength() {
        return addressLength;
    }

    /** Binds a socket here. A socket that no process has open any more is replaced. */
    void bind(Libc libc, int descriptor) {
        int result = libc.bind(descriptor, address(), addressLength);
        if (result == -Libc.EADDRINUSE) {
            removeStale(libc);
            result = libc.bind(descriptor, address(), addressLength);
        }
        SocketFrames.require(result, "bind to " + path);
    }

    private void removeStale(Libc libc) {
        try {
            int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            if ((mode & FILE_KIND) != SOCKET) {
                throw new LinkException(path + " found to be a file that is no socket, a free path expected");
            }
            int probe = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
            int answer = libc.connect(probe, address(), addressLength);
            libc.close(probe);
            if (answer != -Libc.ECONNREFUSED) {
                throw new LinkException(path + " found in use by another socket, a free path expected");
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new LinkException("socket at " + path + " cannot be replaced: " + e.getMessage(), e);
        }
    }

    /** Removes the file, if it can. */
    void remove() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The next port at this path finds a socket that no process has open.
        }
    }
}
