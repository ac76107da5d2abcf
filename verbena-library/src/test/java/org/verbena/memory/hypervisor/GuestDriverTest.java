package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;

/** Guests that bring their own driver: what it may answer, and what it may not. */
final class GuestDriverTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final long PHYSICAL = GuestStand.PHYSICAL_MIN;
    private static final int FRAMES = (int) (PHYSICAL / PAGE);

    private static Domain guest(GuestStand stand, GuestDriver driver) {
        return stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL).withDriver(driver, stand.calls::add));
    }

    @Test
    void aDriverWithASwapOfItsOwnOvercommitsItsPhysicalMemory() {
        SwappingDriver driver = new SwappingDriver();
        try (GuestStand stand = new GuestStand(8);
                Domain guest = guest(stand, driver);
                Domain other = stand.hypervisor.createGuest(GuestOptions.ofPhysical(2 * GuestStand.MACHINE))) {
            driver.drive(guest, FRAMES);
            long bytes = 4 * PHYSICAL;
            ManagedMemory memory = guest.allocate(bytes);
            ManagedMemory rival = other.allocate(2 * GuestStand.MACHINE);
            Region region = stand.register(memory);
            Region rivals = stand.register(rival);
            MemorySegment shadow = stand.arena.allocate(bytes, 8);
            for (int step = 0; step < 5_000; step++) {
                int length = 1 + Math.floorMod(stand.seed.nextLong(), PAGE);
                long address = Math.floorMod(stand.seed.nextLong(), bytes - length);
                if (step % 3 == 0) {
                    stand.wire.fill((byte) step);
                    assertEquals(Verdict.GRANTED, stand.place(region, address, length));
                    MemorySegment.copy(stand.wire, 0, shadow, address, length);
                } else if (step % 3 == 1) {
                    assertEquals(Verdict.GRANTED, stand.gather(region, address, length));
                    assertEquals(
                            -1,
                            stand.wire.asSlice(0, length).mismatch(shadow.asSlice(address, length)),
                            "step " + step);
                } else if (step % 9 == 2) { // other memory needs frames
                    for (int i = 0; i < 40; i++) {
                        long elsewhere = Math.floorMod(stand.seed.nextLong(), rival.length() - PAGE);
                        assertEquals(Verdict.GRANTED, stand.place(rivals, elsewhere, PAGE));
                    }
                }
            }
            assertTrue(driver.swappedIn > 1000);
            assertTrue(driver.unchanged > 10);
            assertTrue(guest.faults().stageOne() > 1000, guest.faults().toString());
            assertTrue(guest.faults().stageTwo() > 100, guest.faults().toString());
            assertEquals(0, guest.driverFailures());
            stand.settle();
            GuestStand.assertNoPins(memory);
            region.close();
            rivals.close();
        }
    }

    @Test
    void aRefusalIsNoSuchAddress() {
        try (GuestStand stand = new GuestStand(1);
                Domain guest = guest(stand, GuestFault::refuse)) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Region region = stand.register(memory);
            assertEquals(Verdict.NO_SUCH_ADDRESS, stand.place(region, 3 * PAGE, 10));
            assertEquals(Verdict.NO_SUCH_ADDRESS, stand.gather(region, 3 * PAGE, PAGE));
            assertEquals(2, guest.faults().stageOne());
            GuestStand.assertNoPins(memory);
            region.close();
        }
    }

    @Test
    void aDriverThatThrowsRefuses() {
        RuntimeException thrown = new IllegalArgumentException("I am broken");
        try (GuestStand stand = new GuestStand(1);
                Domain guest = guest(stand, _ -> {
                    throw thrown;
                })) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Region region = stand.register(memory);
            assertEquals(Verdict.NO_SUCH_ADDRESS, stand.place(region, 0, 10));
            assertEquals(1, guest.driverFailures());
            assertEquals(thrown, guest.lastDriverFailure());
            region.close();
        }
    }

    @Test
    void aDriverMapsOnlyWhatThereIs() {
        List<String> told = new ArrayList<>();
        try (GuestStand stand = new GuestStand(1);
                Domain guest = guest(stand, fault -> {
                    for (long wrong : new long[] {-1, FRAMES, Long.MAX_VALUE}) {
                        told.add(assertThrows(IllegalArgumentException.class, () -> fault.map(wrong))
                                .getMessage());
                    }
                    fault.map(FRAMES - 1);
                })) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Region region = stand.register(memory);
            assertEquals(Verdict.GRANTED, stand.place(region, 0, 10));
            assertEquals(3, told.size());
            assertTrue(told.get(1).contains("64 found; there are 64"), told.get(1));
            assertThrows(
                    IllegalArgumentException.class, () -> guest.table(memory).map(8, 0));
            assertThrows(
                    IllegalArgumentException.class, () -> guest.table(memory).unmap(-1));
            region.close();
        }
    }

    @Test
    void aSecondAnswerIsAnError() {
        List<GuestFault> kept = new ArrayList<>();
        try (GuestStand stand = new GuestStand(1);
                Domain guest = guest(stand, fault -> {
                    kept.add(fault);
                    fault.map(5);
                    assertThrows(IllegalStateException.class, () -> fault.map(5));
                    assertThrows(IllegalStateException.class, fault::refuse);
                })) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Region region = stand.register(memory);
            assertEquals(Verdict.GRANTED, stand.place(region, 0, 10));
            assertThrows(IllegalStateException.class, kept.getFirst()::refuse);
            assertEquals(Verdict.GRANTED, stand.gather(region, 0, 10));
            assertEquals(0, guest.driverFailures());
            region.close();
        }
    }

    @Test
    void anAnswerThatComesTooLateDoesNoHarm() {
        List<GuestFault> kept = new ArrayList<>();
        try (GuestStand stand = new GuestStand(1)) {
            Domain guest = guest(stand, kept::add);
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Region region = stand.register(memory);
            for (int i = 0; i < 3; i++) {
                Fault fault = stand.fault(Right.REMOTE_WRITE, region, 0, 10);
                assertFalse(fault.start());
                while (stand.runCall()) {
                    assertEquals(Verdict.NOT_RESIDENT, fault.outcome());
                }
                fault.release(); // as the engine's timer does
            }
            assertEquals(1, kept.size());
            kept.getFirst().map(2);
            GuestStand.assertNoPins(memory);
            assertEquals(Verdict.GRANTED, stand.place(region, 0, 10));
            Fault second = stand.fault(Right.REMOTE_WRITE, region, PAGE, 10);
            assertFalse(second.start());
            stand.runCall();
            guest.close();
            assertEquals(Verdict.BACKING_CLOSED, second.outcome());
            assertThrows(IllegalStateException.class, () -> kept.getLast().map(3));
            second.release();
            region.close();
        }
    }

    @Test
    void whatIsPinnedIsUnmappedAtOnceButNotFreeAtOnce() {
        List<GuestFault> kept = new ArrayList<>();
        try (GuestStand stand = new GuestStand(1);
                Domain guest = guest(stand, kept::add)) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            GuestTable table = guest.table(memory);
            Region region = stand.register(memory);
            table.map(0, 9);
            table.map(0, 9);
            assertThrows(IllegalStateException.class, () -> table.map(0, 10));
            assertEquals(OptionalLong.of(9), table.guestPhysicalPage(0));
            Fault lease = stand.fault(Right.REMOTE_WRITE, region, 0, 10);
            if (!lease.start()) {
                stand.await(lease);
            }
            assertEquals(Verdict.GRANTED, lease.outcome());
            assertEquals(GuestTable.Unmapping.PINNED, table.unmap(0));
            assertEquals(Verdict.NOT_RESIDENT, place(stand, region), "invalid from the first call on");
            assertThrows(IllegalStateException.class, () -> table.map(0, 10));
            Fault next = stand.fault(Right.REMOTE_WRITE, region, 0, 10);
            assertFalse(next.start());
            assertFalse(stand.runCall(), "asked while it could not answer");
            assertEquals(GuestTable.Unmapping.PINNED, table.unmap(0));
            lease.release();
            assertEquals(GuestTable.Unmapping.CHANGED, table.unmap(0));
            assertEquals(GuestTable.Unmapping.NOT_MAPPED, table.unmap(0));
            assertTrue(stand.runCall());
            assertEquals(0, kept.getFirst().page());
            assertTrue(kept.getFirst().isWrite());
            kept.getFirst().map(10);
            stand.await(next);
            assertEquals(Verdict.GRANTED, place(stand, region));
            next.release();
            GuestStand.assertNoPins(memory);
            region.close();
        }
    }

    private static Verdict place(GuestStand stand, Region region) {
        return stand.table.place(stand.who(Right.REMOTE_WRITE), region.key(), 0, stand.wire, 0, 10);
    }

    @Test
    void anExecutorThatRunsAtOnceIsFoundOut() {
        try (GuestStand stand = new GuestStand(1);
                Domain guest = stand.hypervisor.createGuest(
                        GuestOptions.ofPhysical(PHYSICAL).withDriver(fault -> fault.map(0), Runnable::run))) {
            Region region = stand.register(guest.allocate(PAGE));
            assertEquals(Verdict.NO_SUCH_ADDRESS, stand.place(region, 0, 1));
            assertEquals(1, guest.driverFailures());
            assertTrue(String.valueOf(guest.lastDriverFailure()).contains("executor"));
            region.close();
        }
    }

    @Test
    void anExecutorThatThrowsRefusesEvenIfItKeptTheCall() {
        List<Runnable> kept = new ArrayList<>();
        try (GuestStand stand = new GuestStand(1);
                Domain guest = stand.hypervisor.createGuest(
                        GuestOptions.ofPhysical(PHYSICAL).withDriver(fault -> fault.map(0), call -> {
                            kept.add(call);
                            throw new OutOfMemoryError("no thread can be had");
                        }))) {
            Region region = stand.register(guest.allocate(PAGE));
            assertEquals(Verdict.NO_SUCH_ADDRESS, stand.place(region, 0, 1));
            kept.getFirst().run();
            assertEquals(Verdict.NO_SUCH_ADDRESS, stand.place(region, 0, 1));
            assertEquals(2, guest.driverFailures());
            assertTrue(String.valueOf(guest.lastDriverFailure()).contains("no thread"));
            region.close();
        }
    }

    /** More come and go than one page can have waiting: none of them is told that there is no such page. */
    @Test
    void whoGaveUpWaitingIsForgotten() {
        List<GuestFault> kept = new ArrayList<>();
        try (GuestStand stand = new GuestStand(1);
                Domain guest = guest(stand, kept::add)) {
            ManagedMemory memory = guest.allocate(PAGE);
            Region region = stand.register(memory);
            for (int i = 0; i < 10_000; i++) {
                Fault fault = stand.fault(Right.REMOTE_WRITE, region, 0, 10);
                assertFalse(fault.start());
                assertEquals(Verdict.NOT_RESIDENT, fault.outcome(), "fault " + i);
                fault.release();
            }
            assertTrue(stand.runCall());
            kept.getFirst().map(2);
            GuestStand.assertNoPins(memory);
            assertEquals(Verdict.GRANTED, stand.place(region, 0, 10));
            region.close();
        }
    }

    @Test
    void aDriverOnItsOwnThreadServesAConsumerThatWaits() {
        SwappingDriver driver = new SwappingDriver();
        try (GuestStand stand = new GuestStand(2);
                Domain guest = stand.hypervisor.createGuest(
                        GuestOptions.ofPhysical(PHYSICAL).withDriver(driver))) {
            driver.drive(guest, FRAMES);
            int pages = 2 * FRAMES;
            ManagedMemory memory = guest.allocate((long) pages * PAGE);
            for (int page = 0; page < pages; page++) {
                memory.write((long) page * PAGE + 8, stand.wire.asSlice(0, 8).fill((byte) page));
            }
            for (int page = 0; page < pages; page++) {
                memory.read((long) page * PAGE + 8, stand.wire.asSlice(0, 8));
                assertEquals((byte) page, stand.wire.get(ValueLayout.JAVA_BYTE, 0));
            }
            assertEquals(0, guest.driverFailures());
            memory.close();
        }
    }

    @Test
    void onlyAGuestWithADriverHasTablesToWrite() {
        try (GuestStand stand = new GuestStand(1);
                Domain plain = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
                Domain driven = guest(stand, GuestFault::refuse)) {
            ManagedMemory memory = plain.allocate(PAGE);
            assertThrows(IllegalStateException.class, plain::physical);
            assertThrows(IllegalStateException.class, () -> plain.table(memory));
            assertThrows(IllegalArgumentException.class, () -> driven.table(memory));
            assertThrows(IllegalStateException.class, driven.physical()::close);
            assertThrows(IllegalArgumentException.class, () -> GuestOptions.ofPhysical(PHYSICAL - 1));
            assertThrows(IllegalArgumentException.class, () -> GuestOptions.ofPhysical(PHYSICAL + 1));
        }
    }
}
