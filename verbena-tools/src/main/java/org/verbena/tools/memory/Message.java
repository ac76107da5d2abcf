package org.verbena.tools.memory;

/** Room for one message under way; its number is that of its work requests. */
final class Message {
    final int number;
    /** Which queue pair it is for. */
    final int connection;

    MemoryOperation operation = MemoryOperation.WRITE;
    /** The first of its cells. */
    int cell;
    /** How many: more than one in the sweep at the end. */
    int cells;
    /** Of the initiator's buffers. */
    int slot;
    /** Completions that it lacks. */
    int lacking;

    long postedNs;

    Message(int number, int connection) {
        this.number = number;
        this.connection = connection;
    }
}
