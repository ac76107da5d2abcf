package org.verbena.interop.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Linux kernel and the file system of all VMs, prepared once for a run of the tests, or the reason why they cannot exist. Needs no privilege. */
final class Kernel {
    /** The directory of the scripts. */
    static final Path SCRIPTS = Path.of("peer").toAbsolutePath();

    private static final List<String> PROGRAMS =
            List.of("qemu-system-x86_64", "apt-get", "dpkg", "gcc", "cpio", "depmod", "xz", "readelf", "flock");

    private Kernel() {}

    /** Prepares it when first asked for. */
    private static final class Prepared {
        private static final @Nullable String MISSING = firstOf(unsupported(), absent(PROGRAMS), Kernel::prepared);

        private static @Nullable String firstOf(
                @Nullable String unsupported, @Nullable String absent, Supplier<@Nullable String> prepared) {
            return unsupported != null ? unsupported : absent != null ? absent : prepared.get();
        }
    }

    /** Why there is none; null if there is one. The first call prepares it. */
    static @Nullable String missing() {
        return Prepared.MISSING;
    }

    /** Why this machine cannot have one, whatever is installed; null if it can. */
    static @Nullable String unsupported() {
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            return "needs Linux on amd64; this is " + System.getProperty("os.name") + " on "
                    + System.getProperty("os.arch");
        }
        return null;
    }

    /** Which of these programs are not installed; null if all are. */
    static @Nullable String absent(List<String> programs) {
        List<String> absent =
                programs.stream().filter(name -> !isInstalled(name)).toList();
        return absent.isEmpty() ? null : "not installed: " + String.join(", ", absent);
    }

    private static boolean isInstalled(String program) {
        return List.of((System.getenv("PATH") + ":/usr/sbin:/sbin").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private static @Nullable String prepared() {
        try {
            Process prepare = new ProcessBuilder(SCRIPTS.resolve("prepare.sh").toString(), cache().toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(prepare.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return prepare.waitFor() == 0
                    ? null
                    : "no kernel could be prepared: " + said.substring(said.lastIndexOf('\n') + 1);
        } catch (IOException e) {
            return "no kernel could be prepared: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Directory that keeps downloads between runs. */
    static Path cache() {
        String place = System.getenv("VERBENA_PEER_CACHE");
        if (place != null) {
            return Path.of(place);
        }
        String caches = System.getenv("XDG_CACHE_HOME");
        Path home = Path.of(System.getProperty("user.home"), ".cache");
        return (caches == null ? home : Path.of(caches)).resolve("verbena-peer");
    }
}
