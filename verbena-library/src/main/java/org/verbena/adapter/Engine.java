package org.verbena.adapter;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.ib.Demultiplexer;
import org.verbena.adapter.ib.Destinations;
import org.verbena.adapter.ib.EtherTypes;
import org.verbena.adapter.ib.Groups;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.pair.Faults;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Doorbell;
import org.verbena.queue.RingMemory;
import org.verbena.time.TimerWheel;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;

/**
 * Moves everything of one adapter that can move, a turn at a time. It opens nothing, sleeps never and reads no clock;
 * whoever drives it gives it the time.
 */
public final class Engine {
    /** Bits of a queue pair number that its doorbell has. */
    public static final int DOORBELL_MASK = (1 << Limits.QUEUE_PAIR_INDEX_BITS) - 1;

    private final Link link;
    private final ProtectionTable memory;
    private final Events events;
    private final TimerWheel wheel;
    private final Counters counters = new Counters();
    private final Scheduler scheduler = new Scheduler();
    private final QueuePairTable queuePairs = new QueuePairTable();
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Transmitter transmitter;
    private final Demultiplexer demultiplexer;
    private final CompletionSink completions;
    private final Groups groups;
    private final EtherTypes etherTypes = new EtherTypes();
    private final Destinations destinations = new Destinations();
    private final Faults faults = new Faults();
    private final Doorbell doorbell;
    // Made once: a method reference at the call would be an object a turn.
    private final Doorbell.Listener onRing = this::onRing;
    private final PacketHandler onPacket = this::onPacket;
    private long nowNs;

    /** An engine whose doorbell is in memory of this process. */
    public Engine(Link link, ProtectionTable memory, Events events, long startNs) {
        this(link, memory, events, startNs, RingMemory.LOCAL);
    }

    /** An engine whose doorbell is in given memory. */
    public Engine(Link link, ProtectionTable memory, Events events, long startNs, RingMemory rings) {
        this.link = link;
        this.memory = memory;
        this.events = events;
        this.nowNs = startNs;
        this.wheel = new TimerWheel(startNs);
        this.transmitter = new Transmitter(link, counters);
        this.groups = new Groups(link);
        this.demultiplexer = new Demultiplexer(queuePairs, groups, etherTypes, counters);
        this.completions = new CompletionSink(counters, events);
        this.doorbell = Doorbell.create(Limits.QUEUE_PAIRS_MAX, rings, link::wakeup);
    }

    // --- driving

    /**
     * One turn: sends what is posted, takes what has arrived, then looks at the timers. What arrival makes due, an
     * acknowledgement perhaps, leaves with the next turn, together with what the consumer posts in answer. Timers come
     * last so that an answer that has arrived is never taken for missing, however late the turn.
     *
     * @return how much was done; 0 means that nothing will happen before something is posted, arrives, or falls due
     */
    public int work(long timeNs) {
        try {
            return turn(timeNs);
        } catch (InternalError e) {
            // The JVM's word for a mapped file that was cut while it was read: the consumer's memory is gone, not ours.
            counters.add(Counter.MEMORY_FAULTS);
            transmitter.recover();
            fail(scheduler.takeRunning());
            fail(demultiplexer.takeReceiving());
            return 1;
        }
    }

    private static void fail(@Nullable Transport transport) {
        if (transport != null) {
            transport.onMemoryFault();
        }
    }

    private int turn(long timeNs) {
        nowNs = timeNs;
        int done = runCommands();
        done += doorbell.drain(onRing);
        long sent = transmitter.packets();
        scheduler.run(timeNs, transmitter);
        link.flush();
        done += (int) (transmitter.packets() - sent) + (scheduler.hasResumed() ? 1 : 0);
        done += link.receive(onPacket, Limits.RECEIVE_PER_TURN);
        done += wheel.expire(timeNs);
        completions.notifyConsumers();
        return done;
    }

    /** Takes one packet, as if the link had delivered it. */
    public void receive(long timeNs, Packet packet) {
        nowNs = timeNs;
        demultiplexer.receive(timeNs, packet);
    }

    /** When {@link #work} should be called next though nothing arrives: at once (the past), later, or never. */
    public long nextDeadlineNs() {
        return hasWork() ? Long.MIN_VALUE : wheel.nextDeadlineNs();
    }

    /** Whether a turn would do something at once. Part of going to sleep: ask after {@link Doorbell#sleeping}. */
    public boolean hasWork() {
        return !scheduler.isEmpty() || doorbell.pending() || !commands.isEmpty();
    }

    /** Has the command run in the next turn. Any thread. */
    public void submit(Runnable command) {
        commands.add(command);
    }

    private int runCommands() {
        int done = 0;
        for (; done < Limits.COMMANDS_PER_TURN; done++) {
            Runnable command = commands.poll();
            if (command == null) {
                break;
            }
            command.run();
        }
        return done;
    }

    private void onPacket(Packet packet) {
        demultiplexer.receive(nowNs, packet);
    }

    private void onRing(int index) {
        Transport transport = queuePairs.at(index);
        if (transport != null) {
            scheduler.add(transport);
        }
    }

    // --- queue pairs

    public void add(Transport transport) {
        queuePairs.put(transport);
        doorbell.cover(QueuePairTable.index(transport.number()));
    }

    public void remove(Transport transport) {
        queuePairs.remove(transport);
        groups.leaveAll(transport);
    }

    /** Queue pairs there are. */
    public int queuePairs() {
        return queuePairs.count();
    }

    // --- parts

    public Link link() {
        return link;
    }

    public ProtectionTable memory() {
        return memory;
    }

    /** What page faults have in common. */
    public Faults faults() {
        return faults;
    }

    /** The time of the present turn. */
    public long nowNs() {
        return nowNs;
    }

    public Events events() {
        return events;
    }

    public TimerWheel wheel() {
        return wheel;
    }

    /** Any thread may read them. */
    public Counters counters() {
        return counters;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public Transmitter transmitter() {
        return transmitter;
    }

    public CompletionSink completions() {
        return completions;
    }

    public Groups groups() {
        return groups;
    }

    public EtherTypes etherTypes() {
        return etherTypes;
    }

    public Destinations destinations() {
        return destinations;
    }

    /** Any thread may ring. */
    public Doorbell doorbell() {
        return doorbell;
    }
}
