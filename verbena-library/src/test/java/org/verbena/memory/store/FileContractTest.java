package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.verbena.time.NanoClock;

final class FileContractTest extends PageStoreContract {
    @Override
    PageStore open() {
        assumeTrue(System.getProperty("os.name", "").startsWith("Linux"), "the file store is for Linux only");
        return FilePageStore.open(StoreOptions.at(Path.of("target")), NanoClock.system());
    }

    @Override
    void await(PageStore opened, Pages pages, int ended) {
        awaitEnded(pages, ended);
    }

    /** The limit is only there to end a test that hangs. */
    static void awaitEnded(Pages pages, int ended) {
        for (int i = 0; pages.ended.get() < ended; i++) {
            LockSupport.parkNanos(100_000);
            if (i > 300_000) {
                fail(pages.ended + " of " + ended + " transfers ended");
            }
        }
    }

    @Override
    void settle() {
        LockSupport.parkNanos(1_000_000);
    }
}
