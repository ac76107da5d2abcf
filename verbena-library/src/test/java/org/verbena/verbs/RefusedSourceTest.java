package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.link.ForwardingLink;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.sleep.RunnerSleeper;

/** An adapter that can't wait for its link is not opened, and leaves nothing open. */
@EnabledOnOs(OS.LINUX)
final class RefusedSourceTest {
    /** Has its sleeper open an epoll descriptor, then refuses it. */
    private static final class RefusingLink extends ForwardingLink {
        RefusingLink() {
            super(new InProcessNetwork().open());
        }

        @Override
        public void attach(Sleeper sleeper) {
            ((RunnerSleeper) sleeper).wakeDescriptor();
            throw new LinkException("refused by the test");
        }
    }

    @Test
    void noDescriptorStaysOpen() throws IOException {
        long before = epollDescriptors();
        for (int i = 0; i < 10; i++) {
            RefusingLink link = new RefusingLink();
            assertThrows(LinkException.class, () -> Adapter.open(link, AdapterOptions.DEFAULT));
            link.close();
        }
        assertEquals(before, epollDescriptors(), "epoll descriptors");
    }

    private static long epollDescriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(RefusedSourceTest::isEpoll).count();
        }
    }

    private static boolean isEpoll(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("eventpoll");
        } catch (IOException e) {
            return false; // closed since the list was made
        }
    }
}
