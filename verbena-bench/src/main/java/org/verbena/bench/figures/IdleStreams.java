package org.verbena.bench.figures;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;

/**
 * Idle connections over TCP loopback between two processes, each with a queue pair at both ends: a program that prints one number.
 *
 * <p>Arguments: {@code WHAT CONNECTIONS}. {@code memory} is what a connection adds to one process, the larger one of the two: live heap and resident memory outside the
 * heap, without the send queue and the receive queue; {@code heap} is the heap alone, {@code queues} the two queues; {@code kernel} is what
 * both sockets of a connection add to the kernel's own objects. All in bytes. {@code cpu} is the CPU time of both processes in percent of a core, over
 * ten seconds. Each process needs a descriptor for each connection. The options of the virtual machine are those of {@link ProcessMemory}.
 */
final class IdleStreams {
    /** Connections that are there before the first measurement: classes are loaded and methods compiled. */
    private static final int WARM_UP = 500;

    private static final long SETTLE_MS = 3000;
    private static final long CPU_MS = 10_000;

    private final IwarpEnd end;
    private final int connections;
    private final List<Connection> open = new ArrayList<>();
    private long heapBefore;
    private long residentBefore;

    private IdleStreams(String name, int connections) {
        this.end = new IwarpEnd(name);
        this.connections = connections;
    }

    /** Prints one number. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        String what = arguments[0];
        int connections = Integer.parseInt(arguments[1]);
        if (what.equals("serve")) {
            new IdleStreams("server", connections).serve();
            return;
        }
        System.out.printf(Locale.ROOT, "%.3f%n", new IdleStreams("client", connections).measure(what));
        System.exit(0);
    }

    // --- the process that listens: answers each line by a line

    private void serve() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Listener listener = end.listen()) {
            System.out.println(listener.address().getPort());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(answer(line));
            }
        }
        System.exit(0);
    }

    private double answer(String question) throws IOException, InterruptedException {
        return switch (question) {
            case "begin" -> begin();
            case "memory", "heap" -> bytes(question);
            case "cpu" -> ProcessMemory.percentOfACore(CPU_MS);
            default -> throw new IllegalArgumentException("begin, memory, heap or cpu expected; found " + question);
        };
    }

    private double begin() throws IOException, InterruptedException {
        heapBefore = ProcessMemory.liveHeapBytes();
        residentBefore = ProcessMemory.residentBytes();
        return 0;
    }

    /** Bytes that a connection has added since {@link #begin}. */
    private double bytes(String what) throws IOException, InterruptedException {
        double heap = ProcessMemory.liveHeapBytes() - heapBefore;
        double outside = ProcessMemory.residentBytes() - residentBefore;
        return what.equals("heap") ? heap / connections : (heap + outside) / connections - end.queueBytes();
    }

    // --- the process that connects

    private double measure(String what) throws IOException, InterruptedException {
        if (what.equals("queues")) {
            return end.queueBytes();
        }
        Process server = new ProcessBuilder(serverCommand())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader answers = server.inputReader(StandardCharsets.UTF_8);
                BufferedWriter questions = server.outputWriter(StandardCharsets.UTF_8)) {
            InetSocketAddress at =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(answers.readLine()));
            connect(at, WARM_UP);
            begin();
            ask(questions, "begin");
            double _ = Double.parseDouble(answers.readLine());
            long kernelBefore = ProcessMemory.kernelBytes();
            connect(at, connections);
            if (what.equals("kernel")) {
                return (double) (ProcessMemory.kernelBytes() - kernelBefore) / connections;
            }
            Thread.sleep(SETTLE_MS);
            ask(questions, what);
            double here = answer(what);
            double there = Double.parseDouble(answers.readLine());
            return what.equals("cpu") ? here + there : Math.max(here, there);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static void ask(BufferedWriter questions, String question) throws IOException {
        questions.write(question);
        questions.newLine();
        questions.flush();
    }

    private List<String> serverCommand() {
        List<String> command = new ArrayList<>(List.of(OwnProcess.java()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(IdleStreams.class.getName(), "serve", Integer.toString(connections)));
        return command;
    }

    private void connect(InetSocketAddress at, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            open.add(Connector.connect(end.adapter(), at, end.queuePair(), ConnectorOptions.DEFAULT));
        }
    }
}
