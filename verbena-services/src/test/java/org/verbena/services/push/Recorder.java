package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user of a service connection that keeps everything it is told. */
final class Recorder implements ServiceHandler {
    final List<byte[]> data = new ArrayList<>();
    final List<String> replies = new ArrayList<>();
    int opened;

    @Nullable
    String closed;

    @Override
    public void onOpen() {
        opened++;
    }

    @Override
    public void onData(MemorySegment memory, long offset, int length) {
        data.add(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
        int bytes = Math.min(length, reply.room());
        MemorySegment.copy(request, offset, reply.memory(), reply.offset(), bytes);
        reply.length(bytes);
        return operation;
    }

    @Override
    public void onReply(long context, int status, MemorySegment reply, long offset, int length) {
        replies.add(context + " " + status + " "
                + new String(reply.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII));
    }

    @Override
    public void onClosed(String reason) {
        closed = reason;
    }
}
