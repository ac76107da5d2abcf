package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReservedFramesTest {
    private static final long PAGE = 5;

    private final ReservedFrames reserved = new ReservedFrames();
    private final List<Integer> givenBack = new ArrayList<>();

    private ReservedFrames.Reservation reserve(int frame) {
        return reserved.add(PAGE, frame, () -> givenBack.add(frame));
    }

    @Test
    void aFrameIsReservedForOnePage() {
        reserve(1);
        assertEquals(Driver.NONE, reserved.take(PAGE + 1));
        assertEquals(1, reserved.take(PAGE));
    }

    @Test
    void aFrameThatWasTakenIsNotGivenBack() {
        ReservedFrames.Reservation reservation = reserve(1);
        assertEquals(1, reserved.take(PAGE));
        reservation.giveBack();
        assertEquals(List.of(), givenBack);
    }

    @Test
    void aFrameThatWasGivenBackIsNotTaken() {
        ReservedFrames.Reservation reservation = reserve(1);
        reservation.giveBack();
        reservation.giveBack();
        assertEquals(List.of(1), givenBack);
        assertEquals(Driver.NONE, reserved.take(PAGE));
    }

    @Test
    void severalFramesOfOnePageEndByThemselves() {
        reserve(1);
        ReservedFrames.Reservation second = reserve(2);
        reserve(3);
        second.giveBack();
        assertEquals(List.of(2), givenBack);
        assertEquals(1, reserved.take(PAGE));
        assertEquals(3, reserved.take(PAGE));
        assertEquals(Driver.NONE, reserved.take(PAGE));
    }
}
