package org.verbena.adapter.iwarp.association;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Touches;
import org.verbena.adapter.iwarp.ddp.DdpWindow;
import org.verbena.link.association.SimulatedAssociation;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * The six cases of an entry that is valid for one message: a segment that is not the last; the last, of an entry for many messages; the last,
 * touched before; the last in its turn, before its turn, beyond the window. The test plays the peer, and decides when each segment arrives.
 */
final class OneTouchTest {
    private static final int DATA = 100;

    /** What peers reach under the key. */
    enum Entry {
        WINDOW_TYPE_1,
        WINDOW_TYPE_2,
        REGION
    }

    private final AssociationStand stand = new AssociationStand(1);
    private final AssociationStand.End a = stand.a;
    private final SimulatedAssociation peer = stand.alone();
    private final MemorySegment memory = Arena.ofAuto().allocate(10 * DATA, 8);
    private final Region under = a.adapter.register(a.domain, memory, EnumSet.allOf(Right.class));
    private int key;
    private BooleanSupplier valid = () -> false;

    private void open(Entry entry, Touches touches) {
        if (entry == Entry.REGION) {
            Region region = a.adapter.reserve(a.domain, memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
            key = region.key();
            valid = region::isValid;
            a.post(new WorkRequest.Register(1, key, touches, SendOptions.UNSIGNALLED));
        } else {
            Window window = a.adapter.createWindow(
                    a.domain, entry == Entry.WINDOW_TYPE_1 ? Window.Type.TYPE_1 : Window.Type.TYPE_2);
            key = MemoryKey.next(window.key());
            valid = window::isBound;
            a.post(new WorkRequest.BindWindow(
                    1,
                    window,
                    key,
                    under,
                    under.address(),
                    memory.byteSize(),
                    Set.of(Right.REMOTE_WRITE, Right.REMOTE_READ),
                    touches,
                    SendOptions.UNSIGNALLED));
        }
        stand.run(2);
        assertTrue(valid.getAsBoolean());
    }

    /** Sends a segment of a write that arrives after this many turns. */
    private void write(int afterTurns, int stag, int at, boolean last) {
        MemorySegment segment = MemorySegment.ofArray(new byte[TaggedHeader.LENGTH + DATA]);
        segment.fill((byte) (at + 1));
        TaggedHeader.write(segment, 0, RdmapOpcode.WRITE, last, stag, under.address() + (long) at * DATA);
        peer.send(stand.clock.nowNs() + afterTurns * 1000L, segment, 0, (int) segment.byteSize());
    }

    private boolean isPlaced(int at) {
        for (int i = 0; i < DATA; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, (long) at * DATA + i) != at + 1) {
                return false;
            }
        }
        return true;
    }

    /** The reason in the terminate message that the adapter has sent; null if it has sent none. */
    private @Nullable TerminateCode reason() {
        var found = new ArrayList<TerminateCode>();
        peer.receive(stand.clock.nowNs(), 100, (_, segment, at, _) -> {
            if (DdpControl.opcode(segment, at) == RdmapOpcode.TERMINATE.code()) {
                found.add(Terminate.read(segment, at + UntaggedHeader.LENGTH).reason());
            }
            return true;
        });
        return found.isEmpty() ? null : found.getFirst();
    }

    @ParameterizedTest
    @EnumSource(Entry.class)
    void notTheLastSegmentIsPlacedAndTheEntryStays(Entry entry) {
        open(entry, Touches.ONE);
        write(0, key, 0, false);
        write(0, key, 1, false);
        stand.run(3);
        assertTrue(isPlaced(0) && isPlaced(1));
        assertTrue(valid.getAsBoolean());
    }

    @ParameterizedTest
    @EnumSource(Entry.class)
    void theLastSegmentLeavesAnEntryForManyMessages(Entry entry) {
        open(entry, Touches.MANY);
        write(0, key, 0, true);
        write(5, key, 1, true);
        write(0, key, 2, true);
        stand.run(10);
        assertTrue(isPlaced(0) && isPlaced(1) && isPlaced(2));
        assertTrue(valid.getAsBoolean());
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
    }

    @ParameterizedTest
    @EnumSource(Entry.class)
    void aSecondLastSegmentInvalidatesATouchedEntryAndEndsTheStream(Entry entry) {
        open(entry, Touches.ONE);
        write(50, key, 0, false);
        write(0, key, 1, true);
        write(2, key, 2, true);
        stand.run(2);
        assertTrue(isPlaced(1));
        assertTrue(valid.getAsBoolean(), "the stream has not caught up");
        stand.run(3);
        assertFalse(isPlaced(2));
        assertFalse(valid.getAsBoolean());
        assertEquals(TerminateCode.DDP_INVALID_STAG, reason());
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
    }

    @ParameterizedTest
    @EnumSource(Entry.class)
    void theLastSegmentInItsTurnIsPlacedAndEndsTheEntry(Entry entry) {
        open(entry, Touches.ONE);
        write(0, key, 0, false);
        write(0, key, 1, true);
        stand.run(3);
        assertTrue(isPlaced(0) && isPlaced(1));
        assertFalse(valid.getAsBoolean());
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
        write(0, key, 2, true);
        stand.run(3);
        assertFalse(isPlaced(2));
        assertEquals(TerminateCode.DDP_INVALID_STAG, reason());
    }

    @ParameterizedTest
    @EnumSource(Entry.class)
    void theLastSegmentBeforeItsTurnEndsTheEntryWhenTheStreamHasCaughtUp(Entry entry) {
        open(entry, Touches.ONE);
        write(20, key, 0, false);
        write(10, key, 1, false);
        write(0, key, 2, true);
        stand.run(5);
        assertTrue(isPlaced(2));
        assertFalse(isPlaced(0) || isPlaced(1));
        assertTrue(valid.getAsBoolean());
        stand.run(10);
        assertTrue(isPlaced(1));
        assertTrue(valid.getAsBoolean(), "one segment is missing");
        stand.run(10);
        assertTrue(isPlaced(0));
        assertFalse(valid.getAsBoolean());
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
    }

    @ParameterizedTest
    @EnumSource(Entry.class)
    void aLastSegmentBeyondTheWindowIsDroppedAndComesAgain(Entry entry) {
        open(entry, Touches.ONE);
        for (int i = 0; i < DdpWindow.SEGMENTS; i++) {
            write(10, under.key(), 5, true);
        }
        write(0, key, 0, true);
        stand.run(5);
        assertFalse(isPlaced(0), "beyond the window");
        assertTrue(valid.getAsBoolean());
        stand.run(100);
        assertTrue(isPlaced(0));
        assertFalse(valid.getAsBoolean());
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
    }

    @Test
    void theLastSegmentWithinTheWindowIsPlaced() {
        open(Entry.WINDOW_TYPE_2, Touches.ONE);
        for (int i = 0; i < DdpWindow.SEGMENTS - 1; i++) {
            write(10, under.key(), 5, true);
        }
        write(0, key, 0, true);
        stand.run(5);
        assertTrue(isPlaced(0));
        assertTrue(valid.getAsBoolean());
    }

    @Test
    void theEndOfTheStreamEndsAnEntryThatWaitsForSegments() {
        open(Entry.WINDOW_TYPE_1, Touches.ONE);
        write(50, key, 0, false);
        write(0, key, 1, true);
        stand.run(3);
        assertTrue(valid.getAsBoolean());
        a.queuePair.abort();
        stand.run(3);
        assertFalse(valid.getAsBoolean());
    }

    @Test
    void aRefusedAccessTouchesNothing() {
        open(Entry.WINDOW_TYPE_2, Touches.ONE);
        write(20, under.key(), 5, true);
        write(0, key, 10, true);
        stand.run(5);
        assertTrue(valid.getAsBoolean());
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state(), "refused in its turn");
        stand.run(200);
        assertEquals(TerminateCode.DDP_BASE_OR_BOUNDS, reason());
    }

    @Test
    void aReadIsTheOneMessageAndASecondIsRefused() {
        open(Entry.WINDOW_TYPE_2, Touches.ONE);
        for (int msn = 1; msn <= 2; msn++) {
            MemorySegment segment = MemorySegment.ofArray(new byte[UntaggedHeader.LENGTH + ReadRequest.LENGTH]);
            UntaggedHeader.write(segment, 0, RdmapOpcode.READ_REQUEST, true, 0, msn, 0);
            new ReadRequest(7, 0, DATA, key, under.address()).write(segment, UntaggedHeader.LENGTH);
            peer.send(stand.clock.nowNs() + msn * 10_000L, segment, 0, (int) segment.byteSize());
        }
        stand.run(15);
        assertFalse(valid.getAsBoolean());
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
        stand.run(15);
        assertEquals(TerminateCode.RDMAP_INVALID_STAG, reason());
    }

    @Test
    void anAnswerThatFillsARegionIsTheOneMessage() {
        Region region = a.adapter.reserve(a.domain, memory, EnumSet.of(Right.LOCAL_WRITE));
        a.post(new WorkRequest.Register(1, region.key(), Touches.ONE, SendOptions.UNSIGNALLED));
        a.post(new WorkRequest.Read(
                2, List.of(LocalSegment.of(region, 0, 2 * DATA)), new RemoteMemory(5, 6), SendOptions.SIGNALLED));
        stand.run(3);
        for (int i = 0; i < 2; i++) {
            MemorySegment segment = MemorySegment.ofArray(new byte[TaggedHeader.LENGTH + DATA]);
            segment.fill((byte) (i + 1));
            TaggedHeader.write(
                    segment, 0, RdmapOpcode.READ_RESPONSE, i == 1, region.key(), region.address() + (long) i * DATA);
            peer.send(stand.clock.nowNs() + (i == 0 ? 20_000 : 0), segment, 0, (int) segment.byteSize());
        }
        stand.run(10);
        assertTrue(isPlaced(1), "before its turn");
        assertTrue(region.isValid());
        stand.run(20);
        a.expect(2, Operation.READ, Status.SUCCESS);
        assertTrue(isPlaced(0));
        assertFalse(region.isValid());
    }
}
