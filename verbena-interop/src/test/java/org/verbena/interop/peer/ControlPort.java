package org.verbena.interop.peer;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs commands in a VM, one at a time, over its serial port; {@code peer/guest/agent} is the other end. Any thread. */
final class ControlPort implements AutoCloseable {
    /** Time that the guest may need beyond the limit of the command itself. */
    private static final long GRACE_NS = 20_000_000_000L;

    private final SocketChannel channel;
    private final Selector selector;
    private long next = 1;

    ControlPort(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    /** Runs a command with the guest's shell. */
    synchronized Outcome run(Duration limit, String command) throws IOException {
        long id = next++;
        String limited = "timeout -k 2 " + limit.toSeconds() + " /bin/sh -c " + quoted(command);
        String encoded = Base64.getEncoder().encodeToString(limited.getBytes(StandardCharsets.UTF_8));
        write(id + " " + encoded + "\n");
        return answer(id, command, System.nanoTime() + limit.toNanos() + GRACE_NS);
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private void write(String line) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private Outcome answer(long id, String command, long deadlineNs) throws IOException {
        Pattern end = Pattern.compile("(?s)(.*)\n@@DONE " + id + " (\\d+)\n");
        StringBuilder said = new StringBuilder();
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        while (System.nanoTime() < deadlineNs) {
            selector.select(200);
            selector.selectedKeys().clear();
            int count = channel.read(bytes);
            if (count < 0) {
                throw new IOException("the VM is gone");
            }
            said.append(StandardCharsets.UTF_8.decode(bytes.flip()));
            bytes.clear();
            Matcher found = end.matcher(said);
            if (found.matches()) {
                // A late answer to an earlier command may stand before this one.
                String output = found.group(1).replaceFirst("(?s)^.*\n@@DONE \\d+ \\d+\n", "");
                return new Outcome(command, Integer.parseInt(found.group(2)), output);
            }
        }
        throw new IOException("the VM did not answer in time to: " + command + "\nso far: " + said);
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
