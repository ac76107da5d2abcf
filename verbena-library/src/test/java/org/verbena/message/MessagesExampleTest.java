package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;

/** The program in the guide "Messages" runs, and is the code here. */
final class MessagesExampleTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "messages.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "org", "verbena", "message", "MessagesExampleTest.java");

    @Test
    @SuppressWarnings("AddressSelection") // a literal address has one meaning, and is what a reader expects
    void exampleAnswersARequest() throws InterruptedException, TimeoutException {
        // The guide begins
        try (Adapter here = Adapter.open(new InetSocketAddress("127.0.0.1", 0));
                Adapter there = Adapter.open(new InetSocketAddress("127.0.0.1", 0))) {
            QueuePair mine = MessageChannel.createQueuePair(here, MessageOptions.DEFAULT);
            QueuePair theirs = MessageChannel.createQueuePair(there, MessageOptions.DEFAULT);
            mine.connect(theirs.address(), ConnectionOptions.DEFAULT);
            theirs.connect(mine.address(), ConnectionOptions.DEFAULT);
            RequestHandler greeter = request -> {
                String name = StandardCharsets.UTF_8.decode(request).toString();
                return StandardCharsets.UTF_8.encode("Hello, " + name + "!");
            };
            try (RequestServer server = RequestServer.over(theirs, MessageOptions.DEFAULT, greeter);
                    RequestChannel client = RequestChannel.over(mine, MessageOptions.DEFAULT)) {
                ByteBuffer answer = client.call(StandardCharsets.UTF_8.encode("Verbena"), Duration.ofSeconds(5));
                System.out.println(StandardCharsets.UTF_8.decode(answer) + " (" + server + ")");
            }
        }
        // The guide ends
    }

    @Test
    void theGuideShowsThisCode() throws IOException {
        assumeTrue(Files.exists(GUIDE), "no guide beside the module: not in a checkout");
        String code = Files.readString(HERE);
        String begin = "// The guide begins\n";
        String shown = code.substring(code.indexOf(begin) + begin.length(), code.indexOf("        // The guide ends"))
                .stripTrailing()
                .stripIndent();
        assertTrue(Files.readString(GUIDE).contains(shown), "the guide does not show:\n" + shown);
    }
}
