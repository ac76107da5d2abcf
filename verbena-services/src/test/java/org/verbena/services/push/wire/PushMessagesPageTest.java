package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;

/** Every example of {@code docs/reference/push-messages.md} is what the code writes, and its tables have the numbers of the code. */
final class PushMessagesPageTest {
    private static final String PAGE = "docs/reference/push-messages.md";
    private static final int VERSION = 1;

    private static String page = "";

    @BeforeAll
    static void readPage() throws IOException {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.exists(directory.resolve(PAGE))) {
            directory = directory.getParent();
        }
        assertNotNull(directory, PAGE + " is in no directory above this one");
        page = Files.readString(directory.resolve(PAGE));
    }

    private static String section(String title) {
        int start = page.indexOf("\n## " + title + "\n");
        assertTrue(start >= 0, "no section " + title);
        int end = page.indexOf("\n## ", start + 1);
        return page.substring(start, end < 0 ? page.length() : end);
    }

    private static byte[] example(String title) {
        Matcher block = Pattern.compile("```\n(.*?)```", Pattern.DOTALL).matcher(section(title));
        assertTrue(block.find(), "no example in " + title);
        return HexFormat.of().parseHex(block.group(1).replaceAll("\\s", ""));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.ofDelimiter(" ").formatHex(bytes);
    }

    /** The example of a section, its bytes as the code writes them, and whether the code accepts them. */
    private static void compare(String title, Consumer<MemorySegment> write) {
        byte[] example = example(title);
        byte[] written = new byte[example.length];
        write.accept(MemorySegment.ofArray(written));
        assertEquals(hex(example), hex(written), title);
        assertNull(Messages.judge(MemorySegment.ofArray(example), 0, example.length, VERSION), title);
        assertEquals(hex(example), hex(Rewriting.copy(MemorySegment.ofArray(example), 0, example.length)));
    }

    @Test
    void bufferRecvPool() {
        compare("BufferRecvPool", to -> {
            MessageHeader.write(to, 0, MessageFunction.BUFFER_RECV_POOL, VERSION, 0x1122_3344_5566_7788L);
            new BufferRecvPool(0, 0x7f12_0000_4000L, 0x0001_0203, 256, 2048, 7).write(to, 0, 0);
            new BufferRecvPool(1, 0x7f12_0010_0000L, 0x0001_0204, 64, 9216, 9).write(to, 0, 1);
        });
    }

    @Test
    void bufferRecvPoolGet() {
        compare("BufferRecvPoolGet", to -> new BufferRecvPoolGet(9216, 128).write(to, 0, VERSION, 5));
    }

    @Test
    void bufferRecvPoolUpdate() {
        compare("BufferRecvPoolUpdate", to -> {
            UpdateBuilder builder = new UpdateBuilder();
            builder.begin(to, 0, (int) to.byteSize(), VERSION, 0);
            assertTrue(builder.add(7, 5) && builder.add(7, 6) && builder.add(7, 7) && builder.add(9, 0));
            assertEquals(to.byteSize(), builder.length());
        });
    }

    @Test
    void bufferPoolFlush() {
        compare("BufferPoolFlushRequest", to -> {
            BufferPoolFlush.writeRequest(to, 0, VERSION, 0x2a);
            BufferPoolFlush.writeReference(to, 0, 0, 7);
            BufferPoolFlush.writeReference(to, 0, 1, 9);
        });
        compare("BufferPoolFlushReply", to -> BufferPoolFlush.writeReply(to, 0, VERSION, 0x2a));
    }

    @Test
    void sendData() {
        compare("SendData", to -> {
            SendData.write(to, 0, VERSION, 0, 5);
            put(to, SendData.DATA, "hello".getBytes(StandardCharsets.US_ASCII));
        });
    }

    @Test
    void bufferRdmaIndicate() {
        compare("BufferRDMAIndicate", to -> {
            BufferRdmaIndicate.write(to, 0, VERSION, 0);
            BufferRdmaIndicate.writeTransfer(to, 0, 0, 7, 256, 2048);
            BufferRdmaIndicate.writeTransfer(to, 0, 1, 301, 5, 100_000);
        });
    }

    @Test
    void cfgUtil() {
        compare("CfgUtilRequest", to -> {
            CfgUtilRequest.write(to, 0, VERSION, 9, CfgUtilRequest.OPERATION_FIRST, 3);
            put(to, CfgUtilRequest.DATA, "mac".getBytes(StandardCharsets.US_ASCII));
        });
        compare("CfgUtilReply", to -> {
            CfgUtilReply.write(to, 0, VERSION, 9, 0, 6);
            put(to, CfgUtilReply.DATA, new byte[] {2, 0, 0, 0, 0, 1});
        });
    }

    private static void put(MemorySegment to, long at, byte[] data) {
        MemorySegment.copy(MemorySegment.ofArray(data), 0, to, at, data.length);
    }

    @Test
    void immediateData() {
        byte[] example = example("Immediate data");
        int word = Indication.word(7, 5, 256);
        assertEquals(4, example.length);
        assertEquals(BigEndian.readInt(MemorySegment.ofArray(example), 0), word);
    }

    @Test
    void hellos() {
        PrivateData hello = PrivateData.of(example("Hello"));
        assertNull(Hello.judge(hello));
        assertEquals(hello, new Hello(1, 1, 0, 0, 2, 15, 4096, 0x0123_4567_89ab_cdefL, 0, 0, 0).privateData());
        PrivateData reply = PrivateData.of(example("Hello reply"));
        assertNull(HelloReply.judge(reply));
        assertEquals(reply, new HelloReply(1, 4096, 0x0123_4567_89ab_cdefL, 0, 0, 0).privateData());
    }

    @Test
    void theTableOfFunctionsHasTheirNumbers() {
        String functions = Arrays.stream(MessageFunction.values())
                .map(function -> "| " + function.code() + " | [" + function.title() + "](#")
                .collect(Collectors.joining("\n"));
        String found = section("Header")
                .lines()
                .filter(line -> line.matches("\\| \\d+ \\| \\[.*"))
                .map(line -> line.substring(0, line.indexOf("(#") + 2))
                .collect(Collectors.joining("\n"));
        assertEquals(functions, found);
    }

    @Test
    void theTableOfReasonsIsThatOfTheCode() {
        String reasons = Arrays.stream(Refusal.values())
                .map(refusal -> "| `" + refusal.label() + "` | " + refusal.reason() + " |")
                .collect(Collectors.joining("\n"));
        String found = section("Reasons")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .collect(Collectors.joining("\n"));
        assertEquals(reasons, found);
    }

    @Test
    void everyReasonThatThePageNamesIsOneOfTheCode() {
        var labels = Arrays.stream(Refusal.values()).map(Refusal::label).collect(Collectors.toSet());
        Matcher named = Pattern.compile("`(refused_\\w+)`").matcher(page);
        while (named.find()) {
            assertTrue(labels.contains(named.group(1)), named.group(1));
        }
    }
}
