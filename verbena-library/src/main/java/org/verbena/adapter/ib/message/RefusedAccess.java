package org.verbena.adapter.ib.message;

import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;

/** The last access of a peer that was refused: the memory it named, and why. The engine's thread. */
public final class RefusedAccess {
    private int key;
    private long address;
    private long length;
    private Verdict verdict = Verdict.GRANTED;
    private boolean known;

    /** Notes an access that is refused, and returns the ruling on it. */
    public Ruling refuse(int newKey, long newAddress, long newLength, Verdict newVerdict) {
        key = newKey;
        address = newAddress;
        length = newLength;
        verdict = newVerdict;
        known = true;
        return Ruling.ACCESS_REFUSED;
    }

    /** Notes the reason of a refusal after a wait for pages; the memory is not known any more. Returns the ruling. */
    public Ruling refuse(Verdict newVerdict) {
        Ruling ruling = refuse(0, 0, 0, newVerdict);
        known = false;
        return ruling;
    }

    public int key() {
        return key;
    }

    public long address() {
        return address;
    }

    public long length() {
        return length;
    }

    /** The reason. */
    public Verdict verdict() {
        return verdict;
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
