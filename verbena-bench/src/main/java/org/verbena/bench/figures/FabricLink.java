package org.verbena.bench.figures;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** Two adapters of this process that reach each other. */
final class FabricLink implements AutoCloseable {
    /** What is between them. */
    enum Kind {
        UDP("UDP loopback"),
        IN_PROCESS("in process");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Its name in the tables. */
        String label() {
            return label;
        }
    }

    private final Kind kind;
    private final Adapter near;
    private final Adapter far;

    private FabricLink(Kind kind, Adapter near, Adapter far) {
        this.kind = kind;
        this.near = near;
        this.far = far;
    }

    static FabricLink open(Kind kind, AdapterOptions.Run run) {
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(run);
        AdapterOptions nearOptions = options.withName("near");
        AdapterOptions farOptions = options.withName("far");
        if (kind == Kind.UDP) {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return new FabricLink(kind, Adapter.open(at, nearOptions), Adapter.open(at, farOptions));
        }
        InProcessNetwork network = new InProcessNetwork();
        return new FabricLink(
                kind, Adapter.open(network.open(), nearOptions), Adapter.open(network.open(), farOptions));
    }

    /** The end that connects. */
    Adapter near() {
        return near;
    }

    /** The end that listens. */
    Adapter far() {
        return far;
    }

    /** A free port of the far end. */
    InetSocketAddress listenAt() {
        return new InetSocketAddress(far.endpoint().address(), 0);
    }

    /** The UDP port of the far end, for the near end; 0 if there is none. */
    int farUdpPort() {
        return kind == Kind.UDP ? far.endpoint().port() : 0;
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
