package org.verbena.interop.peer;

import java.io.IOException;
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
        Path reason = Kernel.cache().resolve("siw.missing");
        try {
            return Files.exists(reason)
                    ? "siw could not be built: " + Files.readString(reason).strip()
                    : null;
        } catch (IOException e) {
            return "siw could not be built, and the reason cannot be read: " + e.getMessage();
        }
    }

    private static @Nullable String lacking() {
        String unsupported = Kernel.unsupported();
        if (unsupported != null) {
            return unsupported;
        }
        try {
            if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
                return "needs root, for a network namespace";
            }
        } catch (IOException e) {
            return "cannot find the user of the tests: " + e.getMessage();
        }
        String absent = Kernel.absent(List.of("ip"));
        return absent != null ? absent : Kernel.missing();
    }

    private @Nullable String made() {
        try {
            namespace = Namespace.make(Kernel.SCRIPTS);
            return null;
        } catch (IOException e) {
            return "no network namespace could be made: " + e.getMessage();
        }
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
            running = PeerVm.start(namespace, device);
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
