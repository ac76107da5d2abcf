package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;

/**
 * Keeps account of the elements of one service connection by the packets of its two ends, and knows nothing of the layer's own accounts. It reads the bytes of
 * InfiniBand packets as they leave an adapter for the first time: offers, writes, reads, indications, updates and flushes. What breaks the rule of one
 * owner becomes a line in {@link #faults}.
 */
final class Ledger {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int CRC = 4;

    /** One end: the numbers of the queue pairs to which its peer sends. */
    private static final class End {
        final Map<Integer, Integer> nextSequence = new HashMap<>();
        byte[] message = {};
    }

    /** A pool as its messages describe it. */
    private static final class Pool {
        final int reference;
        final long address;
        final int elementBytes;
        /** Number of the end whose data go through it. */
        final int sender;
        /** Number of the end that writes into it, or reads from it. */
        final int user;
        /** Whether the sender of data has the element. */
        final boolean[] withSender;

        final Set<Integer> stoppedEnds = new HashSet<>();

        Pool(int reference, long address, int elements, int elementBytes, int sender, int user) {
            this.reference = reference;
            this.address = address;
            this.elementBytes = elementBytes;
            this.sender = sender;
            this.user = user;
            this.withSender = new boolean[elements];
            java.util.Arrays.fill(withSender, true);
        }
    }

    final List<String> faults = new ArrayList<>();
    private final End[] ends = {new End(), new End()};
    private final Map<Integer, Pool> pools = new TreeMap<>();
    private final Map<Long, List<Integer>> requests = new HashMap<>();
    private int indications;
    private int updates;
    private int offers;

    /** Sees what an adapter sends. */
    final class Tap extends ForwardingLink {
        private final int end;

        Tap(Link inner, int end) {
            super(inner);
            this.end = end;
        }

        @Override
        public void commit(Packet packet) {
            onPacket(end, packet);
            inner.commit(packet);
        }
    }

    /** Forgets everything: another connection begins. */
    void clear() {
        pools.clear();
        requests.clear();
        for (End end : ends) {
            end.nextSequence.clear();
            end.message = new byte[0];
        }
    }

    int indications() {
        return indications;
    }

    int updates() {
        return updates;
    }

    int offers() {
        return offers;
    }

    /** Elements that are not with the sender of data. */
    String consumed() {
        StringBuilder all = new StringBuilder();
        for (Pool pool : pools.values()) {
            for (int i = 0; i < pool.withSender.length; i++) {
                if (!pool.withSender[i]) {
                    all.append(' ').append(pool.reference).append('/').append(i);
                }
            }
        }
        return all.toString();
    }

    private void fault(int end, String what) {
        faults.add("end " + end + ": " + what);
    }

    private void onPacket(int end, Packet packet) {
        MemorySegment bytes = packet.segment().asSlice(packet.offset(), packet.length());
        int opcode = bytes.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
        int kind = opcode & 0x1f;
        int service = opcode >> 5;
        if (service > 1 || kind > 0x0c) {
            return; // management, acknowledgements and answers to reads
        }
        int to = bytes.get(INT, 4) & 0xffffff;
        int sequence = bytes.get(INT, 8) & 0xffffff;
        Integer next = ends[end].nextSequence.get(to);
        if (next != null && ((sequence - next) & 0x800000) != 0) {
            return; // sent before
        }
        ends[end].nextSequence.put(to, (sequence + 1) & 0xffffff);
        int pad = bytes.get(ValueLayout.JAVA_BYTE, 1) >> 4 & 3;
        long header = 12;
        if (kind == 0x06 || kind == 0x0a || kind == 0x0b || kind == 0x0c) {
            onAccess(end, bytes.get(LONG, header), bytes.get(INT, header + 12), kind == 0x0c, service == 1);
            header += 16;
        }
        if (kind == 0x03 || kind == 0x05 || kind == 0x09 || kind == 0x0b) {
            int word = bytes.get(INT, header);
            int size = (word & 0xffff) == 0 ? 65_536 : word & 0xffff;
            onIndication(end, word >>> 24, word >>> 16 & 0xff, size, service == 1);
            header += 4;
        }
        if (kind <= 0x04) {
            onSend(end, kind, bytes.asSlice(header, bytes.byteSize() - header - pad - CRC));
        }
    }

    private void onSend(int end, int kind, MemorySegment payload) {
        byte[] before = kind == 0 || kind == 4 ? new byte[0] : ends[end].message;
        byte[] message = java.util.Arrays.copyOf(before, before.length + (int) payload.byteSize());
        MemorySegment.copy(payload, 0, MemorySegment.ofArray(message), before.length, payload.byteSize());
        ends[end].message = message;
        if (kind == 2 || kind == 4) {
            onMessage(end, MemorySegment.ofArray(message));
        }
    }

    private void onMessage(int end, MemorySegment message) {
        int function = message.get(INT, 0) >>> 16;
        long context = message.get(LONG, 4);
        switch (function) {
            case 1 -> onOffer(end, message);
            case 3 -> onUpdate(end, message);
            case 4 -> onFlush(end, context, message);
            case 5 -> onFlushReply(end, context);
            case 7 -> {
                for (long at = 12; at < message.byteSize(); at += 12) {
                    onIndication(end, message.get(INT, at), message.get(INT, at + 4), message.get(INT, at + 8), false);
                }
            }
            default -> {}
        }
    }

    private void onOffer(int end, MemorySegment message) {
        for (long at = 12; at < message.byteSize(); at += 32) {
            boolean read = message.get(LONG, at) == 1;
            int reference = message.get(INT, at + 28);
            offers++;
            if (pools.containsKey(reference)) {
                fault(end, "offers pool " + reference + ", which is there");
            }
            pools.put(
                    reference,
                    new Pool(
                            reference,
                            message.get(LONG, at + 8),
                            message.get(INT, at + 20),
                            message.get(INT, at + 24),
                            read ? end : 1 - end,
                            1 - end));
        }
    }

    /** @param late whether it may leave after the flush of its pool: on an unacknowledged channel, where the flush goes on another one */
    private void onAccess(int end, long address, int length, boolean read, boolean late) {
        for (Pool pool : pools.values()) {
            long offset = address - pool.address;
            if (pool.user != end || offset < 0 || offset >= (long) pool.withSender.length * pool.elementBytes) {
                continue;
            }
            int element = (int) (offset / pool.elementBytes);
            String what = (read ? "reads element " : "writes element ") + element + " of pool " + pool.reference;
            if (offset % pool.elementBytes + length > pool.elementBytes) {
                fault(end, what + " and beyond");
            }
            if (pool.withSender[element] != (pool.sender == end)) {
                fault(end, what + ", which is the other end's");
            }
            if (pool.stoppedEnds.contains(end) && !late) {
                fault(end, what + " after its flush");
            }
            return;
        }
        if (!late) {
            fault(end, "accesses " + length + " bytes at " + Long.toHexString(address) + ", where no pool is");
        }
    }

    private void onIndication(int end, int reference, int element, int size, boolean late) {
        indications++;
        Pool pool = pools.get(reference);
        String what = "indicates element " + element + " of pool " + reference;
        if (pool == null) {
            if (!late) {
                fault(end, what + ", which is not there");
            }
        } else if (element >= pool.withSender.length || size > pool.elementBytes) {
            fault(end, what + " with " + size + " bytes: out of range");
        } else if (pool.sender != end || !pool.withSender[element]) {
            fault(end, what + ", which it does not have");
        } else if (pool.stoppedEnds.contains(end) && !late) {
            fault(end, what + " after its flush");
        } else {
            pool.withSender[element] = false;
        }
    }

    private void onUpdate(int end, MemorySegment message) {
        updates++;
        for (long at = 12; at < message.byteSize(); at += 8 + 4L * message.get(INT, at + 4)) {
            Pool pool = pools.get(message.get(INT, at));
            for (int i = 0; i < message.get(INT, at + 4); i++) {
                int element = message.get(INT, at + 8 + 4L * i);
                String what = "returns element " + element + " of pool " + message.get(INT, at);
                if (pool == null) {
                    fault(end, what + ", which is not there");
                } else if (pool.sender == end || pool.withSender[element]) {
                    fault(end, what + ", which it does not have");
                } else if (pool.stoppedEnds.contains(end)) {
                    fault(end, what + " after its flush");
                } else {
                    pool.withSender[element] = true;
                }
            }
        }
    }

    private void onFlush(int end, long context, MemorySegment message) {
        List<Integer> references = new ArrayList<>();
        for (long at = 12; at < message.byteSize(); at += 4) {
            Pool pool = pools.get(message.get(INT, at));
            references.add(message.get(INT, at));
            if (pool != null) {
                pool.stoppedEnds.add(end);
            }
        }
        requests.put(context << 1 | end, references);
    }

    private void onFlushReply(int end, long context) {
        List<Integer> references = requests.remove(context << 1 | (1 - end));
        if (references == null) {
            fault(end, "replies to a flush that was not asked for");
            return;
        }
        for (int reference : references) {
            pools.remove(reference);
        }
    }
}
