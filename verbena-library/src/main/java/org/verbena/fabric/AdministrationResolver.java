package org.verbena.fabric;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.fabric.flow.HostPort;
import org.verbena.link.LinkException;
import org.verbena.manage.MadPort;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.manager.SaClient;

/**
 * Finds ways by questions to the subnet administration: OpenSM's, or that of the own manager. The link's thread asks, the fabric's thread sends the
 * questions and takes the answers. A way is asked for again when the port has got other identifiers or management wants hosts to register again.
 */
final class AdministrationResolver implements PathResolver {
    /** After a failure the next question waits this long. */
    private static final long PAUSE_NS = 100_000_000L;
    /** Destinations that are known or asked for. */
    private static final int ENTRIES_MAX = 65_536;
    /** Queue key and partition of a group that a join creates. */
    private static final SaClient.GroupValues GROUP = new SaClient.GroupValues(0x0b1b, 0xffff, 0, 0, 0);

    private static final int MULTICAST_PREFIX = 0xff;

    /** A destination. */
    private static final class Entry {
        private final boolean group;
        /** The way; null: not known yet. */
        private volatile @Nullable FabricWay way;
        /** When a failed question may be asked again. */
        private volatile long againNs;
        /** Whether a question is under way. */
        private volatile boolean asked;
        /** Memberships of the link's consumers in a group; more than 0 lets it be joined again. */
        private volatile boolean member;

        private Entry(boolean group) {
            this.group = group;
        }
    }

    private final HostPort host;
    private final ManagedPort port;
    private final Gid own;
    private final SaClient client = new SaClient();
    private final Map<Gid, Entry> entries = new ConcurrentHashMap<>();
    /** Ways of an earlier number are not current. */
    private final AtomicInteger generation = new AtomicInteger();

    private @Nullable MadPort madPort;
    private volatile int knownLid;

    AdministrationResolver(HostPort host) {
        this.host = host;
        this.port = host.port();
        this.own = new Gid(port.gidPrefix(), port.guid());
        this.knownLid = port.lid();
        host.execute(() -> {
            MadPort attached = host.attach(client);
            madPort = attached;
            client.start(attached);
        });
        host.onReregistration(this::onReregistration);
    }

    @Override
    public @Nullable FabricWay resolve(long gidHigh, long gidLow) {
        Gid target = new Gid(gidHigh, gidLow);
        Entry entry = entries.get(target);
        if (entry == null) {
            if (entries.size() >= ENTRIES_MAX) {
                return FabricWay.NONE;
            }
            entry = new Entry(gidHigh >>> 56 == MULTICAST_PREFIX);
            entries.put(target, entry);
        }
        FabricWay way = entry.way;
        boolean failed = FabricWay.NONE.equals(way);
        if (way != null && !failed && isCurrent(way)) {
            return way;
        }
        if (!entry.asked && (!failed || host.nowNs() >= entry.againNs)) {
            entry.asked = true;
            Entry asking = entry;
            host.execute(() -> ask(target, asking));
        }
        return failed ? way : null;
    }

    @Override
    public boolean isCurrent(FabricWay way) {
        if (port.lid() != knownLid) {
            knownLid = port.lid();
            generation.incrementAndGet();
        }
        return way.generation() == generation.get();
    }

    @Override
    public void join(long gidHigh, long gidLow) {
        Gid group = new Gid(gidHigh, gidLow);
        if (entries.size() >= ENTRIES_MAX) {
            throw new LinkException("one more destination than " + ENTRIES_MAX + " found, at most as many expected");
        }
        Entry entry = entries.computeIfAbsent(group, _ -> new Entry(true));
        entry.member = true;
        entry.asked = true;
        host.execute(() -> ask(group, entry));
    }

    @Override
    public void leave(long gidHigh, long gidLow) {
        Gid group = new Gid(gidHigh, gidLow);
        Entry entry = entries.remove(group);
        if (entry != null) {
            host.execute(() -> client.leave(host.nowNs(), group, own, (_, _) -> {}));
        }
    }

    @Override
    public void close() {
        host.onReregistration(null);
        host.execute(() -> {
            if (madPort != null) {
                madPort.close();
            }
        });
    }

    // --- on the fabric's thread

    private void ask(Gid target, Entry entry) {
        int asked = generation.get();
        boolean sent = entry.group
                ? client.join(
                        host.nowNs(), target, own, null, (now, result) -> onJoin(now, target, entry, asked, result))
                : client.path(host.nowNs(), own, target, (now, result) -> onPath(now, entry, asked, result));
        if (!sent) {
            fail(host.nowNs(), entry);
        }
    }

    private void onPath(long nowNs, Entry entry, int asked, SaClient.PathResult result) {
        if (result.status() != 0) {
            fail(nowNs, entry);
            return;
        }
        ManagedPort target = host.portOf(result.targetLid());
        // An administration names one path. Where all are alike, flows are spread over the identifiers of the port.
        boolean alike = target != null && result.serviceLevel() == 0;
        succeed(
                entry,
                new FabricWay(
                        alike && target != null ? target.lid() : result.targetLid(),
                        alike && target != null ? target.lmc() : 0,
                        result.serviceLevel(),
                        result.needsGlobalHeader(),
                        null,
                        asked));
    }

    /** A group that exists has values of its own, and a join must not name others; one that does not exist is created. */
    private void onJoin(long nowNs, Gid group, Entry entry, int asked, SaClient.GroupResult result) {
        boolean creates = result.status() != 0
                && result.status() != SaClient.STATUS_NO_ANSWER
                && client.join(nowNs, group, own, GROUP, (now, created) -> onGroup(now, entry, asked, created));
        if (!creates) {
            onGroup(nowNs, entry, asked, result);
        }
    }

    private void onGroup(long nowNs, Entry entry, int asked, SaClient.GroupResult result) {
        if (result.status() != 0) {
            fail(nowNs, entry);
        } else {
            succeed(entry, new FabricWay(result.lid(), 0, result.serviceLevel(), true, null, asked));
        }
    }

    private void succeed(Entry entry, FabricWay way) {
        entry.way = way;
        entry.asked = false;
        host.rouse();
    }

    private void fail(long nowNs, Entry entry) {
        entry.againNs = nowNs + PAUSE_NS;
        entry.way = FabricWay.NONE;
        entry.asked = false;
        host.rouse();
    }

    private void onReregistration() {
        generation.incrementAndGet();
        entries.forEach((gid, entry) -> {
            if (entry.member && !entry.asked) {
                entry.asked = true;
                ask(gid, entry);
            }
        });
    }
}
