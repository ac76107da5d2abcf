package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;

/** Any bytes as a message or as private data: they are refused with a reason, or read and written again the same. A read outside them would throw. */
final class MessagesFuzzTest {
    private static final int INPUT_MAX = 8192;
    private static final int VERSION = 1;

    @FuzzTest
    void messagesAreRefusedOrReadBackAsTheyWereWritten(byte[] input) {
        if (input.length > INPUT_MAX) {
            return;
        }
        MemorySegment message = MemorySegment.ofArray(input.clone());
        Refusal refusal = Messages.judge(message, 0, input.length, VERSION);
        if (refusal == null) {
            assertArrayEquals(input, Rewriting.copy(message, 0, input.length));
        } else {
            assertFalse(
                    Messages.explain(refusal, message, 0, input.length, VERSION).isEmpty());
        }
        assertEquals(-1, message.mismatch(MemorySegment.ofArray(input)), "no byte is changed");
    }

    @FuzzTest
    void hellosAreRefusedOrReadBackAsTheyWereWritten(byte[] input) {
        if (input.length > INPUT_MAX) {
            return;
        }
        PrivateData data = PrivateData.of(input);
        if (Hello.judge(data) == null) {
            PrivateData bytes = data.range(0, Hello.LENGTH);
            assertEquals(bytes, Hello.read(data).privateData());
        }
        if (HelloReply.judge(data) == null) {
            HelloReply reply = HelloReply.read(data);
            assertEquals(reply, HelloReply.read(reply.privateData()));
        }
    }
}
