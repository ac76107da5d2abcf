package org.verbena.interop.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The namespace and the VMs of one run of the tests, or the reason why they cannot exist. With {@code
 * -Dverbena.interop.frames=FILE} the frames of the VMs are kept, in FILE.rxe and FILE.siw.
 */
final class Lab implements AutoCloseable {
    private static final Path SCRIPTS = Path.of("peer").toAbsolutePath();
    private static final List<String> PROGRAMS =
            List.of("ip", "qemu-system-x86_64", "apt-get", "dpkg", "gcc", "cpio", "depmod", "xz", "readelf", "flock");

    private final @Nullable String missing;
    private @Nullable Namespace namespace;
    private final Map<Device, PeerVm> vms = new EnumMap<>(Device.class);
    private int deaths;

    Lab() {
        String found = lacking();
        missing = found != null ? found : made();
    }

    /** Why there is no VM with this device; null if there is one. */
    @Nullable
    String missing(Device device) {
        if (missing != null || device != Device.SIW) {
            return missing;
        }
        Path reason = cache().resolve("siw.missing");
        try {
            return Files.exists(reason)
                    ? "siw could not be built: " + Files.readString(reason).strip()
                    : null;
        } catch (IOException e) {
            return "siw could not be built, and the reason cannot be read: " + e.getMessage();
        }
    }

    private static @Nullable String lacking() {
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            return "needs Linux on amd64; this is " + System.getProperty("os.name") + " on "
                    + System.getProperty("os.arch");
        }
        try {
            if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
                return "needs root, for a network namespace";
            }
        } catch (IOException e) {
            return "cannot find the user of the tests: " + e.getMessage();
        }
        List<String> absent =
                PROGRAMS.stream().filter(name -> !isInstalled(name)).toList();
        return absent.isEmpty() ? null : "not installed: " + String.join(", ", absent);
    }

    private static boolean isInstalled(String program) {
        return List.of((System.getenv("PATH") + ":/usr/sbin:/sbin").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private @Nullable String made() {
        try {
            Process prepare = new ProcessBuilder(SCRIPTS.resolve("prepare.sh").toString(), cache().toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(prepare.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (prepare.waitFor() != 0) {
                return "no kernel could be prepared: " + said.substring(said.lastIndexOf('\n') + 1);
            }
            namespace = Namespace.make(SCRIPTS);
            return null;
        } catch (IOException e) {
            return "no network namespace could be made: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Directory that keeps downloads between runs. */
    private static Path cache() {
        String place = System.getenv("VERBENA_PEER_CACHE");
        if (place != null) {
            return Path.of(place);
        }
        String caches = System.getenv("XDG_CACHE_HOME");
        Path home = Path.of(System.getProperty("user.home"), ".cache");
        return (caches == null ? home : Path.of(caches)).resolve("verbena-peer");
    }

    void enter() {
        if (namespace != null) {
            namespace.enter();
        }
    }

    /**
     * The VM with this device, started when first asked for, and again after a death. A kernel that does not boot is a failure, no
     * reason to skip.
     */
    PeerVm vm(Device device) throws IOException {
        PeerVm running = vms.get(device);
        if (running == null) {
            if (namespace == null) {
                throw new IllegalStateException("there is no VM: " + missing);
            }
            running = PeerVm.start(SCRIPTS, cache(), namespace, device);
            vms.put(device, running);
        }
        return running;
    }

    /** The console's text of a VM that has ended by itself; null if it runs. The next call of {@link #vm} starts another. */
    @Nullable
    String death(Device device) throws IOException {
        PeerVm vm = vms.get(device);
        if (vm == null || !vm.isGone()) {
            return null;
        }
        String console = vm.console();
        vm.close();
        vms.remove(device);
        deaths++;
        return console;
    }

    /** Number of VMs that have ended by themselves. */
    int deaths() {
        return deaths;
    }

    @Override
    public void close() throws IOException {
        for (PeerVm vm : vms.values()) {
            vm.close();
        }
        if (namespace != null) {
            namespace.close();
        }
    }
}
