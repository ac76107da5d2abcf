package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project outside this build that has the library and nothing else: no annotations of JSpecify, no option but those that the README
 * names. It is compiled with all warnings as errors; each test runs it in a JVM of its own.
 */
final class ConsumerProjectTest {
    private static final String MODULE = """
            module consumer {
                requires org.verbena;
            }
            """;

    private static final String MAIN = """
            package consumer;

            import java.lang.foreign.Arena;
            import java.lang.foreign.MemorySegment;
            import java.net.InetSocketAddress;
            import java.time.Duration;
            import org.verbena.*;
            import org.verbena.verbs.*;

            public final class Main {
                private Main() {}

                public static void main(String[] args) throws InterruptedException {
                    InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 0);
                    try (Adapter here = Adapter.open(loopback);
                            Adapter there = Adapter.open(loopback, AdapterOptions.DEFAULT.withName("there"));
                            Arena arena = Arena.ofShared()) {
                        CompletionQueue completions = here.createCompletionQueue(16);
                        QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
                        QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
                        queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
                        other.connect(queuePair.address(), ConnectionOptions.DEFAULT);
                        MemorySegment source = arena.allocateFrom("written into your memory");
                        MemorySegment target = arena.allocate(source.byteSize());
                        var local = here.register(source);
                        var remote = there.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
                        boolean posted =
                                queuePair.post(new WorkRequest.Write(1, LocalSegment.of(local), RemoteMemory.of(remote)));
                        Completion completion = completions.poll(Duration.ofSeconds(20));
                        if (!posted || completion == null || completion.status() != Status.SUCCESS) {
                            throw new IllegalStateException("posted " + posted + ", " + completion);
                        }
                        System.out.println(target.getString(0));
                        System.out.println(here.linkName());
                    }
                }
            }
            """;

    private static final String PAGED = """
            package consumer;

            import org.verbena.memory.hypervisor.MachineMemory;

            public final class Paged {
                private Paged() {}

                public static void main(String[] args) {
                    try (MachineMemory memory = new MachineMemory(16L << 20)) {
                        System.out.println(memory.frames());
                    }
                }
            }
            """;

    /** Group and version stand with the parent, the artifact after it. */
    private static final Pattern COORDINATES = Pattern.compile(
            "<parent>\\s*<groupId>(?<group>.*?)</groupId>.*?<version>(?<version>.*?)</version>\\s*</parent>\\s*"
                    + "<artifactId>(?<artifact>.*?)</artifactId>",
            Pattern.DOTALL);

    private static final String DENY = "--illegal-native-access=deny";
    private static final String GRANTED_TO_MODULE = "--enable-native-access=org.verbena";
    private static final String GRANTED_TO_CLASS_PATH = "--enable-native-access=ALL-UNNAMED";

    @TempDir
    private static Path directory = Path.of("");

    private static Path modular = Path.of("");
    private static Path unnamed = Path.of("");

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        String library = ChildJvm.library().toString();
        modular = directory.resolve("modular");
        unnamed = directory.resolve("unnamed");
        List<Path> sources = List.of(write("consumer/Main.java", MAIN), write("consumer/Paged.java", PAGED));
        compile(
                modular,
                sources,
                "--module-path",
                library,
                write("module-info.java", MODULE).toString());
        compile(unnamed, sources, "--class-path", library);
    }

    @Test
    void runsOnTheModulePath() throws IOException, InterruptedException {
        assertWrote(runModule("consumer.Main", DENY, GRANTED_TO_MODULE));
    }

    @Test
    void runsOnTheClassPath() throws IOException, InterruptedException {
        assertWrote(runClassPath(DENY, GRANTED_TO_CLASS_PATH));
    }

    @Test
    void aDeniedModuleNamesTheOptionThatGrantsNativeAccess() throws IOException, InterruptedException {
        requireNativeLink();
        assertNames(GRANTED_TO_MODULE, runModule("consumer.Main", DENY));
    }

    @Test
    void aDeniedClassPathNamesTheOptionThatGrantsNativeAccess() throws IOException, InterruptedException {
        requireNativeLink();
        assertNames(GRANTED_TO_CLASS_PATH, runClassPath(DENY));
    }

    @Test
    void theChannelsOfTheJdkNeedNoNativeAccess() throws IOException, InterruptedException {
        assertWrote(runModule("consumer.Main", DENY, "-Dverbena.link.udp=nio"));
    }

    @Test
    void machineMemoryNamesTheOptionToo() throws IOException, InterruptedException {
        requireNativeLink();
        assertNames(GRANTED_TO_MODULE, runModule("consumer.Paged", DENY));
    }

    @Test
    void theReadmeHasTheCoordinatesOfThePom() throws IOException {
        Path readme = Path.of("..", "README.md");
        assumeTrue(Files.exists(readme), "no README beside the module: not in a checkout");
        Matcher pom = COORDINATES.matcher(Files.readString(Path.of("pom.xml")));
        assertTrue(pom.find(), "no coordinates in the pom");
        String dependency = """
                <dependency>
                  <groupId>%s</groupId>
                  <artifactId>%s</artifactId>
                  <version>%s</version>
                </dependency>
                """.formatted(pom.group("group"), pom.group("artifact"), pom.group("version"));
        assertTrue(Files.readString(readme).contains(dependency), () -> "the README has not:\n" + dependency);
    }

    private static void assertWrote(ChildJvm run) {
        run.assertQuietSuccess();
        assertEquals(
                "written into your memory", run.output().lines().findFirst().orElse(""));
    }

    private static void assertNames(String option, ChildJvm run) {
        assertNotEquals(0, run.exitCode(), run::output);
        String first = run.errors().lines().findFirst().orElse("");
        assertTrue(first.contains(option), run::errors);
        assertTrue(!run.errors().contains("ExceptionInInitializerError"), run::errors);
    }

    private static void requireNativeLink() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        assumeTrue(os.equals("linux"), "native access is for Linux; this is " + os);
    }

    private static void compile(Path classes, List<Path> sources, String... more)
            throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("-Xlint:all", "-Werror", "--release", "25", "-d", classes.toString()));
        arguments.addAll(List.of(more));
        sources.forEach(file -> arguments.add(file.toString()));
        ChildJvm.run(directory, "javac", arguments).assertQuietSuccess();
    }

    private static Path write(String name, String text) throws IOException {
        Path file = directory.resolve("source").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static ChildJvm runModule(String main, String... options) throws IOException, InterruptedException {
        return run(options, "--module-path", modular, "--module", "consumer/" + main);
    }

    private static ChildJvm runClassPath(String... options) throws IOException, InterruptedException {
        return run(options, "--class-path", unnamed, "consumer.Main");
    }

    private static ChildJvm run(String[] options, String path, Path classes, String... main)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(path, ChildJvm.library() + File.pathSeparator + classes));
        arguments.addAll(List.of(main));
        return ChildJvm.run(directory, "java", arguments);
    }
}
