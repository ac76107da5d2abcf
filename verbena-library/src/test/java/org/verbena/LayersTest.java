package org.verbena;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.verbena.time.NanoClock;

/** The arrows between the packages of the library point downwards only. A package that does not exist yet obeys. */
final class LayersTest {
    private static final String ROOT = "org.verbena.";

    /** The package of the values and enums that every layer uses. */
    private static final String WORDS = "org.verbena";

    /** From top to bottom: a layer may know those below it, never one above. */
    private static final List<String> LAYERS = List.of(
            "message", "connect", "verbs", "adapter", "queue", "memory", "fabric", "manage", "link", "wire", "trace",
            "pool", "time", "system");

    /** The rooms of a layer from top to bottom; rooms on one line do not know each other. */
    private static final Map<String, List<List<String>>> ROOMS = Map.of(
            "connect",
            List.of(List.of("connect"), List.of("connect.protocol")),
            "adapter",
            List.of(
                    List.of("adapter.ib.port", "adapter.iwarp.port", "adapter.iwarp.association"),
                    List.of(
                            "adapter.ib.reliable",
                            "adapter.ib.unreliable",
                            "adapter.ib.datagram",
                            "adapter.ib.raw",
                            "adapter.ib.management",
                            "adapter.iwarp.rdmap"),
                    List.of("adapter.ib.message", "adapter.iwarp.ddp", "adapter.iwarp.mpa"),
                    List.of("adapter.ib", "adapter.iwarp"),
                    List.of("adapter.pair"),
                    List.of("adapter")),
            "link",
            List.of(
                    List.of("link.frame", "link.ibsim"),
                    List.of("link.udp", "link.tcp"),
                    List.of("link.udp.linux", "link.udp.nio", "link.tcp.nio"),
                    List.of("link.udp.driver", "link.tcp.driver", "link.wrap"),
                    List.of("link.process", "link.simulated", "link.sleep", "link.stream", "link.association"),
                    List.of("link.linux"),
                    List.of("link.support"),
                    List.of("link")),
            "manage",
            List.of(List.of("manage.agent", "manage.manager"), List.of("manage")),
            "fabric",
            List.of(List.of("fabric.ibsim"), List.of("fabric"), List.of("fabric.flow"), List.of("fabric.topology")),
            "memory",
            List.of(
                    List.of("memory.hypervisor", "memory.registration"),
                    List.of("memory.swapping", "memory.faults"),
                    List.of("memory.protection", "memory.machine"),
                    List.of("memory.translation"),
                    List.of("memory", "memory.paging"),
                    List.of("memory.store")));

    /**
     * The code that starts threads, and the code outside {@code link} that opens files. {@code ForeignMemory} is listed because it
     * creates a {@link Thread}. It never starts this thread; it asks whether every thread may access a segment.
     */
    private static final Set<String> OPENERS = Set.of(
            "fabric.FabricThread",
            "memory.store",
            "memory.protection.ForeignMemory",
            "memory.registration.SweepThread",
            "memory.hypervisor.CallThread",
            "memory.swapping.ErrandThread",
            "adapter.ThreadRunner",
            "message.MessageThreads",
            "adapter.StandbyThread",
            "fabric.topology.NetFolder");

    /** The code that knows packets of InfiniBand, beside its own rooms: options of consumers, the connection manager, captures. */
    private static final List<String> KNOW_INFINIBAND =
            List.of("adapter.ib", "verbs", "connect", "wire", "link.wrap", "manage", "fabric");

    /** The parts of a packet: its headers, their codes and its check sum. Only {@code adapter.ib}, {@code wire} and captures know them. */
    private static final Set<String> PACKET_PARTS =
            Set.of("wire.ib.Bth", "wire.ib.Icrc", "wire.ib.Opcode", "wire.ib.Syndrome");

    /** The code that knows segments of iWARP. */
    private static final List<String> KNOW_IWARP = List.of("adapter.iwarp", "wire.iwarp");

    private static final Set<String> CLOCK_CALLS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.Collections.shuffle");

    private static final Set<String> THREAD_CALLS = Set.of(
            "java.lang.Thread.<init>",
            "java.lang.Thread.ofPlatform",
            "java.lang.Thread.ofVirtual",
            "java.lang.Thread.startVirtualThread",
            "java.lang.ProcessBuilder.start",
            "java.lang.Runtime.exec",
            "java.util.concurrent.CompletableFuture.supplyAsync",
            "java.util.concurrent.CompletableFuture.runAsync");

    /** Calls that block a thread. A {@code join} of a future or thread counts; one of a future that is done does not block. */
    private static final Set<String> WAIT_CALLS = Set.of(
            "java.util.concurrent.locks.LockSupport.park",
            "java.util.concurrent.locks.LockSupport.parkNanos",
            "java.util.concurrent.locks.LockSupport.parkUntil",
            "java.util.concurrent.locks.Condition.await",
            "java.util.concurrent.locks.Condition.awaitNanos",
            "java.util.concurrent.locks.Condition.awaitUninterruptibly",
            "java.util.concurrent.CountDownLatch.await",
            "java.util.concurrent.Semaphore.acquire",
            "java.util.concurrent.BlockingQueue.take",
            "java.util.concurrent.BlockingQueue.put",
            "java.util.concurrent.BlockingQueue.poll",
            "java.util.concurrent.ExecutorService.awaitTermination",
            "java.util.concurrent.CompletableFuture.join",
            "java.util.concurrent.Future.get",
            "java.nio.channels.Selector.select",
            "java.lang.Object.wait",
            "java.lang.Thread.sleep",
            "java.lang.Thread.join",
            "org.verbena.link.linux.Libc.ppoll",
            "org.verbena.link.linux.Libc.epollWait",
            "org.verbena.link.linux.Libc.epollPwait2");

    /** The only code that waits: the sleeper, the runners, and the exceptions named here. */
    private static final Set<String> WAITERS = Set.of(
            "link.sleep",
            // The thread of a fabric waits for its tools.
            "link.ibsim.IbsimSockets",
            // A rehearsal waits for the server that it rehearses.
            "link.ibsim.IbsimToolSockets",
            "adapter.SharedRunner",
            "adapter.SharedTurns",
            "adapter.StandbyThread",
            "adapter.ThreadRunner",
            "adapter.InlineRunner",
            // The thread of a fabric in real time, and threads that have commands run there.
            "fabric.FabricThread",
            // Threads that read and write pages, and consumers that wait for them.
            "memory.store",
            // Consumers and the hypervisor wait for a region to become quiet or to come back, or for frames; an engine
            // never.
            "memory.protection.RegionIo",
            "memory.protection.StateWord",
            "memory.registration.SweepThread",
            "memory.hypervisor.Sizing",
            "memory.hypervisor.Hypervisor",
            // A consumer waits for an asynchronous event.
            "verbs.AsyncEvents",
            // Consumers wait for a buffer, a message or an answer, and for the thread of a dispatcher to end.
            "message.BufferPool",
            "message.ChannelCore",
            "message.Receiver",
            "message.Sender",
            "message.Dispatcher",
            "message.RequestChannel",
            // Read a future that the runner has waited for.
            "connect.Connection",
            "connect.DrivenFuture",
            "connect.Listener",
            "verbs.ManagementPort");

    private static final JavaClasses LIBRARY = readLibrary();

    @Test
    void theLibraryWasRead() {
        assertTrue(LIBRARY.contain(NanoClock.class));
    }

    @Test
    void everyPackageIsALayer() {
        Set<String> packages = LIBRARY.stream()
                .map(LayersTest::layerOf)
                .filter(layer -> !LAYERS.contains(layer))
                .collect(Collectors.toSet());
        assertEquals(Set.of(), packages, "packages outside the layers " + LAYERS);
    }

    @TestFactory
    Stream<DynamicTest> noLayerKnowsOneAboveIt() {
        return LAYERS.stream()
                .filter(layer -> !above(layer).isEmpty())
                .map(layer -> DynamicTest.dynamicTest(
                        layer,
                        () -> check(
                                noClasses().that(are(layer)).should().dependOnClassesThat(areAnyOf(above(layer))))));
    }

    @TestFactory
    Stream<DynamicTest> everyPackageOfALayerWithRoomsIsARoom() {
        return ROOMS.entrySet().stream()
                .map(layer -> DynamicTest.dynamicTest(layer.getKey(), () -> {
                    Set<String> known =
                            layer.getValue().stream().flatMap(List::stream).collect(Collectors.toSet());
                    Set<String> found = LIBRARY.stream()
                            .filter(are(layer.getKey()))
                            .map(type -> type.getPackageName().substring(ROOT.length()))
                            .collect(Collectors.toSet());
                    assertEquals(known, found);
                }));
    }

    @TestFactory
    Stream<DynamicTest> noRoomKnowsOneBesideOrAboveIt() {
        return ROOMS.values().stream()
                .flatMap(levels -> IntStream.range(0, levels.size())
                        .boxed()
                        .flatMap(level -> levels.get(level).stream()
                                .filter(room -> forbidden(levels, level, room).length > 0)
                                .map(room -> DynamicTest.dynamicTest(
                                        room, () -> checkRoom(room, forbidden(levels, level, room))))));
    }

    /** The rooms beside and above a room. */
    private static String[] forbidden(List<List<String>> levels, int level, String room) {
        return levels.subList(0, level + 1).stream()
                .flatMap(List::stream)
                .filter(other -> !other.equals(room))
                .map(ROOT::concat)
                .toArray(String[]::new);
    }

    private static void checkRoom(String room, String[] forbidden) {
        check(noClasses()
                .that(resideInAnyPackage(ROOT + room))
                .should()
                .dependOnClassesThat(resideInAnyPackage(forbidden)));
    }

    @Test
    void wireTimeAndSystemKnowOnlyTheJdkAndTheWords() {
        DescribedPredicate<JavaClass> foreign =
                not(resideInAnyPackage("java..", "javax..", "jdk..", "org.jspecify..", "", WORDS));
        for (String layer : List.of("wire", "time", "system")) {
            check(noClasses().that(are(layer)).should().dependOnClassesThat(foreign.and(not(are(layer)))));
        }
    }

    @Test
    void connectUsesTheApiOfConsumersNotTheEngine() {
        check(noClasses().that(are("connect")).should().dependOnClassesThat(are("adapter")));
    }

    @Test
    void theWordsOfTheRootKnowNoLayer() {
        check(noClasses()
                .that(resideInAnyPackage(WORDS))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.verbena.*..")));
    }

    @Test
    void messagesAreBuiltOnVerbsAlone() {
        check(noClasses()
                .that(are("message"))
                .should()
                .dependOnClassesThat(areAnyOf(List.of("connect", "adapter", "queue", "link", "wire", "trace", "pool")))
                .orShould()
                .dependOnClassesThat(resideInAnyPackage(Stream.of(
                                "hypervisor",
                                "registration",
                                "swapping",
                                "faults",
                                "protection",
                                "machine",
                                "translation",
                                "paging",
                                "store")
                        .map(room -> ROOT + "memory." + room)
                        .toArray(String[]::new))));
    }

    @Test
    void theEngineIsNeutral() {
        DescribedPredicate<JavaClass> infiniBand = areAnyOf(List.of("adapter.ib", "wire.ib", "wire.mad"));
        DescribedPredicate<JavaClass> packetParts = describe(
                "parts of a packet " + PACKET_PARTS,
                type -> PACKET_PARTS.stream().map(ROOT::concat).anyMatch(type.getName()::equals));
        DescribedPredicate<JavaClass> consumers = areAnyOf(List.of("verbs", "connect"));
        assertAll(
                () -> check(noClasses()
                        .that(not(areAnyOf(KNOW_INFINIBAND)))
                        .should()
                        .dependOnClassesThat(infiniBand)),
                () -> check(noClasses().that(consumers).should().dependOnClassesThat(packetParts)));
    }

    /** Its own rooms, and {@code verbs.StreamPort} that leads there. */
    @Test
    void fewKnowIwarp() {
        DescribedPredicate<JavaClass> verbs = areAnyOf(List.of("verbs"));
        check(noClasses()
                .that(not(areAnyOf(KNOW_IWARP)).and(not(verbs)))
                .should()
                .dependOnClassesThat(areAnyOf(KNOW_IWARP)));
    }

    /** A byte stream is one way to carry segments: DDP and RDMAP must not know it. */
    @Test
    void ddpAndRdmapKnowNoStream() {
        check(noClasses()
                .that(areAnyOf(List.of("adapter.iwarp.ddp", "adapter.iwarp.rdmap")))
                .should()
                .dependOnClassesThat(areAnyOf(List.of("adapter.iwarp.mpa", "link"))));
    }

    /** A rule about a class or package that has another name by now would never fail. */
    @Test
    void everyNamedPartExists() {
        Set<String> missing = Stream.of(
                        PACKET_PARTS, Set.copyOf(KNOW_INFINIBAND), Set.copyOf(KNOW_IWARP), OPENERS, WAITERS)
                .flatMap(Set::stream)
                .filter(name -> LIBRARY.stream().noneMatch(type -> isNamed(type, Set.of(name))))
                .collect(Collectors.toSet());
        assertEquals(Set.of(), missing, "names of no class and no package");
    }

    @Test
    void memoryKnowsNoWireAndNoLink() {
        check(noClasses().that(are("memory")).should().dependOnClassesThat(areAnyOf(List.of("wire", "link"))));
    }

    @Test
    void onlyTimeReadsAClockOrMakesRandomNumbers() {
        DescribedPredicate<JavaClass> chance = describe(
                "sources of chance",
                type -> type.getPackageName().equals("java.util.random")
                        || type.isAssignableTo(java.util.Random.class)
                        || type.isEquivalentTo(java.util.SplittableRandom.class));
        assertAll(
                () -> check(noClasses().that(not(are("time"))).should().accessTargetWhere(callsOneOf(CLOCK_CALLS))),
                () -> check(noClasses().that(not(are("time"))).should().accessTargetWhere(readsJavaTime())),
                () -> check(noClasses().that(not(are("time"))).should().dependOnClassesThat(chance)));
    }

    @Test
    void onlyLinkAndTheNamedOpenersOpenFilesOrSockets() {
        DescribedPredicate<JavaClass> others = not(are("link")).and(not(anOpener()));
        check(noClasses().that(others).should().dependOnClassesThat(describe("files and sockets", LayersTest::isDoor)));
    }

    @Test
    void onlyTheNamedOpenersStartThreads() {
        DescribedPredicate<JavaClass> pools = describe("thread pools", LayersTest::isThreadPool);
        assertAll(
                () -> check(noClasses().that(not(anOpener())).should().dependOnClassesThat(pools)),
                () -> check(noClasses().that(not(anOpener())).should().accessTargetWhere(callsOneOf(THREAD_CALLS))));
    }

    @Test
    void onlySleepersRunnersAndTheNamedWaitersWait() {
        check(noClasses()
                .that(not(describe("waiters " + WAITERS, type -> isNamed(type, WAITERS))))
                .should()
                .accessTargetWhere(callsOneOf(WAIT_CALLS)));
    }

    @Test
    void everyNamedWaiterWaits() {
        Set<String> idle = WAITERS.stream()
                .filter(name -> LIBRARY.stream()
                        .filter(type -> isNamed(type, Set.of(name)))
                        .flatMap(type -> type.getAccessesFromSelf().stream())
                        .noneMatch(access -> callsOneOf(WAIT_CALLS).test(access)))
                .collect(Collectors.toSet());
        assertEquals(Set.of(), idle, "named as waiters, but they do not wait");
    }

    @Test
    void onlyLinkAndMemoryCallNativeCode() {
        check(noClasses()
                .that(not(areAnyOf(List.of("link", "memory"))))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker"));
    }

    @Test
    void nothingUsesReflectionOrUnsafe() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.lang.reflect..", "sun..", "jdk.internal.."));
    }

    private static JavaClasses readLibrary() {
        try {
            return new ClassFileImporter()
                    .importPath(Path.of(NanoClock.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()));
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(LIBRARY);
    }

    private static List<String> above(String layer) {
        return LAYERS.subList(0, LAYERS.indexOf(layer));
    }

    private static DescribedPredicate<JavaClass> are(String layer) {
        return resideInAnyPackage(ROOT + layer + "..").as(layer);
    }

    private static DescribedPredicate<JavaClass> areAnyOf(List<String> layers) {
        return resideInAnyPackage(
                        layers.stream().map(layer -> ROOT + layer + "..").toArray(String[]::new))
                .as("any of " + layers);
    }

    /** The first part of the package's name below the root; the lowest layer for the module itself and for the words. */
    private static String layerOf(JavaClass type) {
        String name = type.getPackageName();
        if (name.isEmpty() || name.equals(WORDS)) {
            return LAYERS.getLast();
        }
        return name.startsWith(ROOT) ? name.substring(ROOT.length()).replaceFirst("\\..*", "") : name;
    }

    private static DescribedPredicate<JavaClass> anOpener() {
        return describe("openers " + OPENERS, type -> isNamed(type, OPENERS));
    }

    /** Whether the class, the class around it or its package has one of these names. */
    private static boolean isNamed(JavaClass type, Set<String> names) {
        return names.stream()
                .map(ROOT::concat)
                .anyMatch(name -> type.getName().equals(name)
                        || type.getName().startsWith(name + "$")
                        || type.getName().startsWith(name + "."));
    }

    /** Interfaces such as WritableByteChannel are fine anywhere: the caller that opened the file or socket passes them in. */
    private static boolean isDoor(JavaClass type) {
        return switch (type.getPackageName()) {
            case "java.nio.file" -> type.getSimpleName().equals("Files");
            case "java.io" ->
                Set.of("File", "RandomAccessFile", "FileReader", "FileWriter").contains(type.getSimpleName())
                        || type.getSimpleName().matches("File(In|Out)putStream");
            case "java.net" -> type.getSimpleName().endsWith("Socket");
            case "java.net.http" -> true;
            case "java.nio.channels" ->
                !type.isInterface() && !type.getSimpleName().endsWith("Exception");
            default -> false;
        };
    }

    private static boolean isThreadPool(JavaClass type) {
        return switch (type.getPackageName()) {
            case "java.util.concurrent" ->
                type.getSimpleName().matches("Executors|(Scheduled)?ThreadPoolExecutor|ForkJoinPool");
            case "java.util" -> type.getSimpleName().equals("Timer");
            default -> false;
        };
    }

    private static DescribedPredicate<JavaAccess<?>> callsOneOf(Set<String> methods) {
        return describe("call one of " + methods, access -> isOneOf(methods, access));
    }

    /** Whether the method is in the list under its class or, for a class of the JDK, under a class or interface above it. */
    private static boolean isOneOf(Set<String> methods, JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String method = "." + access.getTarget().getName();
        if (methods.contains(owner.getName() + method)) {
            return true;
        }
        return owner.getName().startsWith("java.")
                && methods.stream().anyMatch(name -> name.endsWith(method))
                && Stream.concat(owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                        .anyMatch(above -> methods.contains(above.getName() + method));
    }

    private static DescribedPredicate<JavaAccess<?>> readsJavaTime() {
        return describe(
                "read the time of day",
                access -> access.getTargetOwner().getPackageName().equals("java.time")
                        && access.getTarget().getName().matches("now|system.*|tick.*"));
    }
}
