package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReceiverStateTest {
    @ParameterizedTest
    @CsvSource({
        "READY, INVITED, REFUSED",
        "REFUSED, INVITED, REFUSED",
        "INVITED, INVITED, SPARED",
        "SPARED, INVITED_AGAIN, REFUSED",
        "INVITED_AGAIN, INVITED_AGAIN, REFUSED"
    })
    void everyStateHasTheTransitionsOfItsTable(ReceiverState state, ReceiverState invited, ReceiverState refused) {
        assertEquals(invited, state.onInvited());
        assertEquals(refused, state.onRefused());
    }
}
