package org.verbena.interop.subnet;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.FabricOptions;
import org.verbena.fabric.ibsim.IbsimCounters;
import org.verbena.fabric.ibsim.IbsimServer;
import org.verbena.fabric.topology.NetFile;

/** A fabric of ours in real time, with its server. */
final class ServedFabric implements AutoCloseable {
    private final Fabric fabric;
    private final IbsimServer server;

    private ServedFabric(Fabric fabric, IbsimServer server) {
        this.fabric = fabric;
        this.server = server;
    }

    static ServedFabric of(Path net) {
        return of(net, FabricOptions.DEFAULT);
    }

    static ServedFabric of(Path net, FabricOptions options) {
        Fabric fabric = Fabric.of(NetFile.read(net).topology(), options);
        IbsimServer server = IbsimServer.open(fabric, 0);
        fabric.start();
        return new ServedFabric(fabric, server);
    }

    Fabric fabric() {
        return fabric;
    }

    int port() {
        return server.port();
    }

    IbsimCounters counters() {
        AtomicReference<IbsimCounters> found = new AtomicReference<>();
        fabric.call(() -> found.set(server.counters()));
        return found.get();
    }

    @Override
    public void close() {
        server.close();
        fabric.close();
    }
}
