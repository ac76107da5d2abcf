package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Unsigned;

/** Flight Recorder: a peer asked for memory that it may not touch. */
@Name("org.verbena.AccessViolation")
@Label("Access Violation")
@Category("Verbena")
@Description("A peer asked for memory that it may not touch; the queue pair is in ERROR")
@StackTrace(false)
public final class AccessViolationEvent extends Event {
    @Label("Queue Pair")
    int queuePair;

    @Label("Peer")
    String peer;

    @Label("Key")
    @Unsigned
    int key;

    @Label("Address")
    @MemoryAddress
    long address;

    @Label("Length")
    long length;

    @Label("Verdict")
    String verdict;

    private AccessViolationEvent(int queuePair, String peer, int key, long address, long length, String verdict) {
        this.queuePair = queuePair;
        this.peer = peer;
        this.key = key;
        this.address = address;
        this.length = length;
        this.verdict = verdict;
    }

    /** Adds an access to the recordings that have this event enabled. */
    public static void record(int queuePair, String peer, int key, long address, long length, String verdict) {
        new AccessViolationEvent(queuePair, peer, key, address, length, verdict).commit();
    }
}
