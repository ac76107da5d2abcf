package org.verbena.interop.subnet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The real ibsim. */
final class IbsimProcess implements AutoCloseable {
    /** One for control and ten for clients. */
    private static final int PORTS = 11;

    private final RunningTool process;
    private final int port;

    private IbsimProcess(RunningTool process, int port) {
        this.process = process;
        this.port = port;
    }

    static IbsimProcess start(Path net, Path folder) throws IOException, InterruptedException {
        int port = UdpPorts.takeFree(PORTS);
        Files.createDirectories(folder);
        Path output = folder.resolve("ibsim.txt");
        // It would read commands: its input stays open.
        Process process = new ProcessBuilder(
                        SubnetTools.path("ibsim"), "-n", "-s", "-r", "-l", Integer.toString(port), net.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        RunningTool tool = new RunningTool("ibsim " + net, process, output);
        IbsimProcess made = new IbsimProcess(tool, port);
        try {
            // A look at the port by binding it would keep ibsim from binding it.
            tool.await("the control port", () -> UdpPorts.isBound(port));
            tool.awaitText(output, "simulator ready");
            return made;
        } catch (InterruptedException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.close();
    }
}
