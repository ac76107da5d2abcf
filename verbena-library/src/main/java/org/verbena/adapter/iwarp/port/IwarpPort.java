package org.verbena.adapter.iwarp.port;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.StreamBuffers;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Transport;
import org.verbena.link.Address;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.stream.ByteStream;
import org.verbena.wire.iwarp.MpaCrc;

/**
 * Carries reliable connections by iWARP over byte streams. A stream on which both sides have agreed is added and gets a number; the queue
 * pair that names this address and number as its peer's gets the stream.
 */
public final class IwarpPort implements PairCarrier {
    /** Bytes of a stream buffer: a unit that is being taken apart, and one that arrives. */
    public static final int BUFFER_BYTES = 2 * UnitFormat.UNIT_MAX;

    /** Stream buffers of one engine; a stream that finds none waits until another stream is idle. */
    public static final int BUFFERS_MAX = 1024;

    /** Units that one stream takes in one turn; the rest waits for the next. */
    static final int UNITS_PER_TURN = 64;

    /** The stream to a peer, among others to the same address. */
    private record Key(@Nullable Address remote, int number) {
        static Key of(AttachParameters parameters) {
            return new Key(parameters.remote(), parameters.remoteQueuePair());
        }
    }

    private final EngineParts parts;
    private final StreamBuffers buffers = new StreamBuffers(BUFFER_BYTES, BUFFERS_MAX);
    private final MpaCrc crc = new MpaCrc();
    private final Map<Key, PortStream> waiting = new HashMap<>();
    private final List<PortStream> attached = new ArrayList<>();
    private @Nullable PortStream running;
    private int lastNumber;

    public IwarpPort(EngineParts parts) {
        this.parts = parts;
    }

    /**
     * Adds a stream on which both sides have agreed.
     *
     * @param remote address of the peer
     * @param initiator whether this side sent the request
     * @return its number, for the queue pair that is to use it
     */
    public int add(Address remote, ByteStream stream, MpaAgreement agreement, boolean initiator) {
        int number = ++lastNumber;
        waiting.put(new Key(remote, number), new PortStream(this, stream, agreement, initiator, buffers, crc));
        return number;
    }

    /** Buffers that streams have now. */
    public int buffersTaken() {
        return buffers.taken();
    }

    @Override
    public boolean reaches(AttachParameters parameters) {
        return parameters.service() == PairService.RELIABLE_CONNECTION && waiting.containsKey(Key.of(parameters));
    }

    @Override
    public Transport attach(Pair pair, AttachParameters parameters) {
        PortStream stream = waiting.remove(Key.of(parameters));
        assert stream != null : "asked whether it is reached before";
        attached.add(stream);
        return stream.attach(pair, parts);
    }

    void detach(PortStream stream) {
        attached.remove(stream);
    }

    @Override
    public int receive(long nowNs, int max) {
        int done = 0;
        for (int i = attached.size() - 1; i >= 0; i--) {
            if (i < attached.size()) { // a consumer that was told of a completion may have ended others
                running = attached.get(i);
                done += running.receive();
            }
        }
        running = null;
        return done;
    }

    @Override
    public void flush() {
        for (int i = attached.size() - 1; i >= 0; i--) {
            attached.get(i).flush();
        }
    }

    @Override
    public void recover() {
        PortStream cut = running;
        running = null;
        if (cut != null) {
            cut.onMemoryFault();
        }
    }

    @Override
    public void onRemoved(int queuePair) {}

    /** Streams within the process have nothing to watch: the turns of the engines are given by hand. */
    @Override
    public WakeSource source() {
        return new WakeSource() {
            @Override
            public void attach(Sleeper sleeper) {}

            @Override
            public long sleepMaxNs() {
                return Long.MAX_VALUE;
            }
        };
    }
}
