package org.verbena.adapter.iwarp.association;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Transport;
import org.verbena.link.Address;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.association.Association;

/**
 * Carries reliable connections by iWARP over associations. An association is added and gets a number; the queue pair that names this address
 * and number as its peer's gets the association.
 */
public final class AssociationPort implements PairCarrier {
    /** The association to a peer, among others to the same address. */
    private record Key(@Nullable Address remote, int number) {
        static Key of(AttachParameters parameters) {
            return new Key(parameters.remote(), parameters.remoteQueuePair());
        }
    }

    private final EngineParts parts;
    private final TurnTime time;
    private final Map<Key, AssociationEnd> waiting = new HashMap<>();
    private final List<AssociationEnd> attached = new ArrayList<>();
    private @Nullable AssociationEnd running;
    private int lastNumber;

    public AssociationPort(EngineParts parts) {
        this.parts = parts;
        this.time = parts.time();
    }

    /**
     * Adds an association that is open.
     *
     * @param remote address of the peer
     * @param readsMax read and atomic requests that each side may have at once
     * @return its number, for the queue pair that is to use it
     */
    public int add(Address remote, Association association, int readsMax) {
        int number = ++lastNumber;
        waiting.put(new Key(remote, number), new AssociationEnd(this, remote, association, readsMax));
        return number;
    }

    @Override
    public boolean reaches(AttachParameters parameters) {
        return parameters.service() == PairService.RELIABLE_CONNECTION && waiting.containsKey(Key.of(parameters));
    }

    @Override
    public Transport attach(Pair pair, AttachParameters parameters) {
        AssociationEnd end = waiting.remove(Key.of(parameters));
        assert end != null : "asked whether it is reached before";
        attached.add(end);
        return end.attach(pair, parts);
    }

    void detach(AssociationEnd end) {
        attached.remove(end);
    }

    @Override
    public int receive(long nowNs, int max) {
        int done = 0;
        for (int i = attached.size() - 1; i >= 0; i--) {
            if (i < attached.size()) { // a consumer that was told of a completion may have ended others
                running = attached.get(i);
                done += running.receive(nowNs, max);
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
        AssociationEnd cut = running;
        running = null;
        if (cut != null) {
            cut.onMemoryFault();
        }
    }

    @Override
    public void onRemoved(int queuePair) {}

    /** Messages arrive in the time of the engine: a sleep ends when the next one is due. */
    @Override
    public WakeSource source() {
        return new WakeSource() {
            @Override
            public void attach(Sleeper sleeper) {}

            @Override
            public long sleepMaxNs() {
                long next = Long.MAX_VALUE;
                for (AssociationEnd each : attached) {
                    next = Math.min(next, each.nextNs());
                }
                return next == Long.MAX_VALUE ? next : Math.max(0, next - time.nowNs());
            }
        };
    }
}
