package org.verbena.adapter.pair;

import org.verbena.EventKind;
import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;
import org.verbena.trace.AccessViolationEvent;

/** The last access of a peer that was refused: the memory it named, and why. The engine's thread. */
public final class RefusedAccess {
    private int key;
    private long address;
    private long length;
    private Verdict verdict = Verdict.GRANTED;
    private boolean known;

    /** Notes an access that is refused. */
    public void note(int newKey, long newAddress, long newLength, Verdict newVerdict) {
        key = newKey;
        address = newAddress;
        length = newLength;
        verdict = newVerdict;
        known = true;
    }

    /** Notes the reason of a refusal after a wait for pages; the memory is not known any more. */
    public void note(Verdict newVerdict) {
        note(0, 0, 0, newVerdict);
        known = false;
    }

    /** Fails the queue pair that the peer has used for it: its consumer is told by an event, and Flight Recorder. */
    public void fail(Pair pair, String peer) {
        AccessViolationEvent.record(pair.number(), peer, key, address, length, verdict.name());
        pair.fail(EventKind.QUEUE_PAIR_ACCESS_ERROR, peer + " asked for " + this);
    }

    /** In one sentence, for people. */
    @Override
    public String toString() {
        String what = known
                ? length + " bytes at 0x" + Long.toHexString(address) + " under key " + MemoryKey.toString(key)
                : "memory whose pages were missing";
        return what + ": " + verdict + ", " + verdict.reason();
    }
}
