package org.verbena.tools.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.link.Place;
import org.verbena.trace.MetricRegistry;
import org.verbena.verbs.AdapterOptions;

/** One overcommitted load from its beginning to its report: filled, loaded, read back. */
public final class MemoryRun {
    private static final long PIECE = 1 << 20;
    private static final int SWEEP_MAX = 256 << 10;

    private final MemoryPlan plan;
    private final LinkSetting links;
    private final StopSign stop;
    private final LiveMemory live;
    private final MemoryTally loaded = new MemoryTally();
    private final MemoryTally swept = new MemoryTally();
    private final MetricRegistry metrics = new MetricRegistry();

    public MemoryRun(MemoryPlan plan, LinkSetting links, StopSign stop, LiveMemory live) {
        this.plan = plan;
        this.links = links;
        this.stop = stop;
        this.live = live;
    }

    /** Carries it out on the calling thread. */
    public MemoryReport run() {
        LinkSetting.Pair pair = links.loopback();
        // Adapters close their links, too; but one that never came to be closes nothing.
        try (Place _ = pair.near();
                Place _ = pair.far();
                Hypervisor hypervisor = Hypervisor.open(plan.hypervisor().withMetrics("memory", metrics));
                TargetDomains domains = new TargetDomains(hypervisor, plan);
                MemoryEnd target = new MemoryEnd(adapter(Snapshot.TARGET), pair.far(), plan, domains.allocate());
                MemoryEnd initiator =
                        new MemoryEnd(adapter(Snapshot.INITIATOR), pair.near(), plan, buffers(hypervisor))) {
            target.connect(initiator);
            initiator.connect(target);
            live.watch(metrics);
            return run(initiator, target);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }

    private AdapterOptions adapter(String name) {
        return AdapterOptions.DEFAULT.withName(name).withMetrics(metrics);
    }

    private List<ManagedMemory> buffers(Hypervisor hypervisor) {
        return List.of(hypervisor.host().allocate(plan.buffers()));
    }

    private MemoryReport run(MemoryEnd initiator, MemoryEnd target) throws InterruptedException {
        Cells cells = new Cells(
                plan, target.memories().size(), target.memories().getFirst().length());
        live.phase("filling", null);
        fill(cells, target);
        Snapshot filled = Snapshot.of(metrics.snapshot(), initiator, target);
        live.phase("loading", loaded);
        long beganNs = System.nanoTime();
        load(initiator, target, cells, plan.size(), loaded).run(new LoadWork(beganNs, cells));
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        Snapshot seen = Snapshot.of(metrics.snapshot(), initiator, target).since(filled);
        live.phase("reading all of it back", swept);
        SweepWork sweep = new SweepWork(cells);
        if (loaded.errors() == 0) {
            load(initiator, target, cells, sweep.length(), swept).run(sweep);
        }
        return new MemoryReport(
                plan, new MemoryReport.Outcome(seconds, loaded, swept, sweep.done(), cells.count()), seen);
    }

    private Load load(MemoryEnd initiator, MemoryEnd target, Cells cells, int length, MemoryTally tally) {
        List<Message> messages = IntStream.range(0, plan.underWay())
                .mapToObj(number -> new Message(number, number % plan.queuePairs()))
                .toList();
        Buffers buffers = new Buffers(initiator.memories().getFirst(), initiator.region(0), length);
        return new Load(new Load.Ends(initiator, target), cells, buffers, messages, length, tally);
    }

    /** The target's consumer writes all of its memory, in whole pages. */
    private void fill(Cells cells, MemoryEnd target) {
        try (Arena arena = Arena.ofConfined()) {
            int together = (int) Math.max(1, PIECE / cells.stride());
            MemorySegment piece = arena.allocate(together * cells.stride(), 64);
            for (int cell = 0; cell < cells.count() && !stop.isRaised(); ) {
                int end = Math.min(cell + together, cells.areaEnd(cell));
                piece.fill((byte) 0);
                for (int i = cell; i < end; i++) {
                    cells.version(i, cells.isCounter(i) ? 0 : 1);
                    cells.stamp(i, cells.version(i), piece, (i - cell) * cells.stride());
                }
                target.memories()
                        .get(cells.area(cell))
                        .write(cells.offset(cell), piece.asSlice(0, (end - cell) * cells.stride()));
                cell = end;
            }
        }
    }

    /** Operations by the plan until its extent is reached. */
    private final class LoadWork implements Work {
        private final SplittableRandom random = new SplittableRandom(1);
        private final Cells cells;
        private final long deadlineNs;
        private final long limit;
        private long turn;

        LoadWork(long nowNs, Cells cells) {
            this.cells = cells;
            this.deadlineNs = plan.extent().deadlineNs(nowNs);
            this.limit = plan.extent().limit(0);
        }

        @Override
        public boolean next(Message message) {
            if (stop.isRaised() || turn >= limit || System.nanoTime() >= deadlineNs) {
                return false;
            }
            message.cell = cells.take(plan.pattern().cell(cells.count(), turn, random));
            message.cells = 1;
            message.operation = operation(message.cell);
            turn++;
            return true;
        }

        private MemoryOperation operation(int cell) {
            if (cells.isCounter(cell)) {
                return MemoryOperation.ATOMIC;
            }
            return plan.operation() != MemoryOperation.MIX
                    ? plan.operation()
                    : switch (random.nextInt(3)) {
                        case 0 -> MemoryOperation.WRITE;
                        case 1 -> MemoryOperation.SEND;
                        default -> MemoryOperation.READ;
                    };
        }
    }

    /** Reads of everything, in order and in large pieces. */
    private final class SweepWork implements Work {
        private final Cells cells;
        private final int together;
        private int cell;

        SweepWork(Cells cells) {
            this.cells = cells;
            long most = Math.min(SWEEP_MAX, plan.memory() / 8 / plan.underWay());
            this.together = (int) Math.max(1, most / MachineMemory.FRAME * MachineMemory.FRAME / cells.stride());
        }

        /** Bytes of a read. */
        int length() {
            return (int) (together * cells.stride());
        }

        /** Cells that were asked for. */
        int done() {
            return cell;
        }

        @Override
        public boolean next(Message message) {
            if (stop.isRaised() || cell == cells.count()) {
                return false;
            }
            message.operation = MemoryOperation.READ;
            message.cell = cell;
            message.cells = Math.min(together, cells.areaEnd(cell) - cell);
            cell += message.cells;
            return true;
        }
    }
}
