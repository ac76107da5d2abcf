package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;

/** Messages of no bytes at all, of every kind and by every way to say so. */
@OverEachWire
final class ZeroLengthTest {
    private static final RemoteMemory NOWHERE = new RemoteMemory(0, 0);

    private final Wire wire;

    ZeroLengthTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Payload> nothings() {
        return Stream.of(
                Payload.NOTHING,
                Payload.inline(new byte[0]),
                Payload.of(new LocalSegment(0, 0, 0)),
                Payload.of(new LocalSegment(0, 0, 0), new LocalSegment(7, 0, 7)));
    }

    @ParameterizedTest
    @MethodSource("nothings")
    void everyKindArrivesAndCompletes(Payload nothing) {
        try (var pair = new Pair(wire)) {
            Window window = pair.b.adapter.createWindow(pair.b.domain, Window.Type.TYPE_2);
            pair.b.queuePair.post(new WorkRequest.BindWindow(
                    0,
                    window,
                    MemoryKey.next(window.key()),
                    pair.b.region,
                    pair.b.region.address(),
                    8,
                    Set.of(Right.REMOTE_WRITE),
                    SendOptions.UNSIGNALLED));
            pair.run();
            for (int i = 0; i < 4; i++) {
                pair.b.queuePair.post(new WorkRequest.Receive(i));
            }
            SendOptions how = SendOptions.SIGNALLED;
            pair.a.queuePair.post(new WorkRequest.Send(1, nothing, how));
            pair.a.queuePair.post(
                    wire == Wire.IWARP // which has no send with immediate data
                            ? new WorkRequest.WriteWithImmediate(2, nothing, NOWHERE, 5, how)
                            : new WorkRequest.SendWithImmediate(2, nothing, 5, how));
            pair.a.queuePair.post(new WorkRequest.SendWithInvalidate(3, nothing, window.key(), how));
            pair.a.queuePair.post(new WorkRequest.Write(4, nothing, NOWHERE, how));
            pair.a.queuePair.post(new WorkRequest.WriteWithImmediate(5, nothing, NOWHERE, 6, how));
            pair.a.queuePair.post(new WorkRequest.Read(6, List.of(), NOWHERE, how));
            pair.run();
            List<Completion> sent = pair.a.drain();
            assertEquals(
                    List.of(1L, 2L, 3L, 4L, 5L, 6L),
                    sent.stream().map(Completion::id).toList());
            List<Completion> received = pair.b.drain();
            assertEquals(4, received.size());
            Stream.concat(sent.stream(), received.stream()).forEach(completion -> {
                assertEquals(Status.SUCCESS, completion.status());
                assertEquals(0, completion.byteLength());
            });
            assertEquals(5, received.get(1).immediate());
            assertEquals(Integer.valueOf(window.key()), received.get(2).invalidatedKey());
            assertEquals(6, received.get(3).immediate());
        }
    }
}
