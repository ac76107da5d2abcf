package org.verbena.interop.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Two VMs without RDMA devices. The frames of their network cards go to sockets: of Unix for the first, of UDP for the second. */
public final class CardGuests implements AutoCloseable {
    private static final int FIRST = 21;
    private static final int SECOND = 22;

    private final Path directory;
    private final CardSocket firstCard;
    private final CardSocket secondCard;
    private final PeerVm first;
    private final PeerVm second;

    private CardGuests(Path directory) throws IOException {
        this.directory = directory;
        firstCard = CardSocket.unix(directory);
        secondCard = CardSocket.udp();
        PeerVm.Booting firstBooting = PeerVm.boot(FIRST, firstCard);
        try {
            second = PeerVm.boot(SECOND, secondCard).await();
        } catch (IOException | RuntimeException e) {
            firstBooting.keeper().close();
            throw e;
        }
        try {
            first = firstBooting.await();
        } catch (IOException | RuntimeException e) {
            second.close();
            throw e;
        }
    }

    /** Starts both, and waits until they answer. */
    static CardGuests start() throws IOException {
        return new CardGuests(Files.createTempDirectory("verbena-cards"));
    }

    /** The first one. */
    public PeerVm first() {
        return first;
    }

    /** The socket of its card. */
    public CardSocket firstCard() {
        return firstCard;
    }

    /** The second one. */
    public PeerVm second() {
        return second;
    }

    /** The socket of its card. */
    public CardSocket secondCard() {
        return secondCard;
    }

    /** The console's text of one that has ended by itself; null if both run. */
    @Nullable
    String death() {
        return first.isGone() ? first.console() : second.isGone() ? second.console() : null;
    }

    @Override
    public void close() throws IOException {
        first.close();
        second.close();
        Files.deleteIfExists(directory.resolve("card"));
        Files.deleteIfExists(directory.resolve("port"));
        Files.deleteIfExists(directory);
    }
}
