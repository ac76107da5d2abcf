package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;

/**
 * The page {@code docs/reference/rings.md} and the code say the same: offsets, lengths, numbers and the version. Both are
 * compared with the literals here, so that neither changes by accident; {@link SlotLayoutTest} has the bytes of the slots.
 */
final class RingLayoutTest {
    private final List<String> page = page();

    private static List<String> page() {
        for (Path directory = Path.of("").toAbsolutePath(); directory != null; directory = directory.getParent()) {
            Path found = directory.resolve("docs/reference/rings.md");
            if (Files.exists(found)) {
                try {
                    return Files.readAllLines(found);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return List.of();
    }

    /** First and second column of the table with this head, in the section with this heading. */
    private List<String> table(String heading, String head) {
        assumeTrue(!page.isEmpty(), "the documents are not there: not in a checkout");
        int section = find(0, line -> line.startsWith("## " + heading));
        int at = find(section, line -> line.startsWith("| " + head + " |"));
        List<String> rows = new ArrayList<>();
        for (int row = at + 2; row < page.size() && page.get(row).startsWith("|"); row++) {
            String[] cells = page.get(row).split("\\|", -1);
            rows.add(cells[1].strip() + " " + cells[2].strip());
        }
        return rows;
    }

    private int find(int from, Predicate<String> wanted) {
        for (int i = from; i < page.size(); i++) {
            if (wanted.test(page.get(i))) {
                return i;
            }
        }
        throw new AssertionError("the page has no such line from line " + (from + 1) + " on");
    }

    private static <E extends Enum<E>> List<String> numbers(E[] all, ToIntFunction<E> number) {
        return Arrays.stream(all)
                .map(each -> number.applyAsInt(each) + " " + each.name())
                .toList();
    }

    @Test
    void version() {
        assertEquals(2, RingHeader.VERSION);
        assertEquals(0x474e_4952_4e42_5256L, RingHeader.MAGIC);
        assumeTrue(!page.isEmpty(), "the documents are not there: not in a checkout");
        assertTrue(page.getFirst().endsWith("version 2"), page.getFirst());
        assertTrue(page.stream().anyMatch(line -> line.startsWith("| 0 | 8 | magic: 0x474e49524e425256,")));
        assertTrue(page.contains("| 8 | 4 | version of the layout: 2 |"));
    }

    @Test
    void header() {
        assertEquals(List.of("0 8", "8 4", "12 4", "16 4", "20 4", "24 8", "32 4", "36 92"), table("Header", "offset"));
        assertEquals(
                List.of(0L, 8L, 12L, 16L, 20L, 32L, 128L),
                List.of(
                        RingHeader.MAGIC_AT,
                        RingHeader.VERSION_AT,
                        RingHeader.KIND_AT,
                        RingHeader.CAPACITY_AT,
                        RingHeader.SLOT_LENGTH_AT,
                        RingHeader.STATE_AT,
                        (long) RingHeader.LINE));
    }

    @Test
    void ring() {
        assertEquals(
                List.of("0 128", "128 8", "136 8", "144 8", "256 8", "264 8", "384 4", "512 capacity × slot"),
                table("Ring", "offset"));
        assertEquals(
                List.of(128L, 136L, 144L, 256L, 264L, 384L, 512L),
                List.of(
                        Ring.TAIL,
                        Ring.PRODUCER_GUARD,
                        Ring.SEEN_HEAD,
                        Ring.HEAD,
                        Ring.CONSUMER_GUARD,
                        Ring.WISH,
                        (long) Ring.HEADER_LENGTH));
        assertEquals(1, CompletionRing.ARMED_ANY);
        assertEquals(2, CompletionRing.ARMED_SOLICITED);
    }

    @Test
    void slots() {
        assertEquals(
                List.of(
                        "0 8", "8 1", "9 1", "10 2", "12 4", "16 8", "24 4", "28 4", "32 8", "40 8", "48 4", "52 4",
                        "56 8", "64 …"),
                table("Slot of a send ring", "offset"));
        assertEquals(64, SendSlot.HEADER_LENGTH);
        assertEquals(List.of("0 8", "8 4", "12 4"), table("Segment", "offset"));
        assertEquals(16, LocalSegments.LENGTH);
        assertEquals(List.of("0 8", "8 4", "12 4", "16 …"), table("Slot of a receive ring", "offset"));
        assertEquals(16, ReceiveSlot.HEADER_LENGTH);
        assertEquals(
                List.of("0 8", "8 4", "12 1", "13 1", "14 1", "15 1", "16 4", "20 4", "24 4", "28 4"),
                table("Slot of a completion ring", "offset"));
        assertEquals(32, CompletionSlot.LENGTH);
    }

    @Test
    void flags() {
        assertEquals(
                List.of(1, 2, 4, 8, 16, 32),
                List.of(
                        SendSlot.FLAG_SIGNALLED,
                        SendSlot.FLAG_FENCE,
                        SendSlot.FLAG_SOLICITED,
                        SendSlot.FLAG_INLINE,
                        SendSlot.FLAG_ONE_TOUCH,
                        SendSlot.FLAG_REGISTERS));
        assertEquals(
                List.of(1, 2, 4, 8),
                List.of(
                        CompletionSlot.FLAG_IMMEDIATE,
                        CompletionSlot.FLAG_INVALIDATED,
                        CompletionSlot.FLAG_SOLICITED,
                        CompletionSlot.FLAG_DATAGRAM));
        assertTrue(
                page.contains(
                        "| 9 | 1 | flags: 1 signalled, 2 fence, 4 solicited, 8 inline, 16 window or key is valid for one message, 32 a send that registers a key first |"));
        assertTrue(page.stream()
                .anyMatch(line -> line.startsWith(
                        "| 14 | 1 | flags: 1 immediate data, 2 key invalidated, 4 solicited, 8 datagram")));
    }

    @Test
    void doorbell() {
        assertEquals(
                List.of("0 128", "128 4", "256 8 × ⌈capacity / 4096⌉", "next multiple of 128 512 × ⌈capacity / 4096⌉"),
                table("Doorbell", "offset"));
        assertEquals(128, Doorbell.SLEEPING);
        assertEquals(256, Doorbell.SUMMARY);
    }

    /** The numbers of each enumeration: literals, so that a change of the code alone fails too. */
    @Test
    void numbers() {
        Map<String, List<String>> code = new LinkedHashMap<>();
        code.put("kind", numbers(RingKind.values(), RingKind::code));
        code.put("operation", numbers(Operation.values(), Operation::code));
        code.put("state", numbers(QueuePairState.values(), QueuePairState::code));
        code.put("status", numbers(Status.values(), Status::code));
        code.put("right", numbers(Right.values(), Right::mask));
        code.put("verdict", numbers(Verdict.values(), Verdict::code));
        code.forEach((what, numbers) ->
                assertEquals(table(what.equals("kind") ? "Header" : "Numbers", what), numbers, what));
        assertEquals(List.of("1 SEND", "2 RECEIVE", "3 COMPLETION", "4 DOORBELL"), code.get("kind"));
        assertEquals("14 ATOMIC_WRITE", last(code.get("operation")));
        assertEquals("6 ERROR", last(code.get("state")));
        assertEquals("10 RNR_RETRY_EXCEEDED", last(code.get("status")));
        assertEquals("32 BIND_WINDOW", last(code.get("right")));
        assertEquals("22 EMPTY_WINDOW", last(code.get("verdict")));
    }

    private static @Nullable String last(@Nullable List<String> rows) {
        return rows == null ? null : rows.getLast();
    }

    @Test
    void everyNumberIsReadBack() {
        for (Operation operation : Operation.values()) {
            assertEquals(operation, Operation.of(operation.code()));
        }
        for (int code = 15; code < 256; code++) {
            assertEquals(Operation.UNKNOWN, Operation.of((byte) code));
        }
        for (Status status : Status.values()) {
            assertEquals(status, Status.of(status.code()));
        }
        for (Verdict verdict : Verdict.values()) {
            assertEquals(verdict, Verdict.of(verdict.code()));
        }
    }
}
