package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.verbena.Checkout.TrackedFile;

/** The rules of the house for files, held for everything that git tracks. Each failure lists file and line. */
final class TidinessTest {
    private static final int JAVA_LINES_MAX = 600;

    /** Home directories and mount points that exist on one person's machine only. */
    private static final Pattern PRIVATE_PATH = Pattern.compile(
            "(?<![\\w.~$}-])/(work|root|home/\\w+|Users/\\w+)(/|\\b(?=[\"'`\\s,;:)]))|[A-Z]:\\\\Users\\\\");

    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    /** Pronouns in place of the noun that a reader needs. */
    private static final Pattern RIDDLE = Pattern.compile("(?i)\\b(who|whom)" + "ever\\b");

    private static final Pattern TEST_METHOD = Pattern.compile("(?m)^\\s+@(\\w*Test|TestFactory|TestTemplate)\\b");

    private static final Pattern ABSTRACT_CLASS = Pattern.compile("(?m)^(public )?(abstract class|interface) ");

    private static final Pattern VAGUE_NAME = Pattern.compile(".*(Manager|Helper|Util|Utils|Impl|Context|Info)\\.java");

    /** Words of the specification that happen to end like a vague name. */
    private static final Set<String> SPECIFICATION_NAMES = Set.of(
            "SubnetManager.java",
            "NodeInfo.java",
            "SwitchInfo.java",
            "PortInfo.java",
            "GuidInfo.java",
            "LedInfo.java",
            "ManagerInfo.java",
            "ClassPortInfo.java",
            "ExtendedPortInfo.java");

    private static Checkout checkout = new Checkout(Path.of(""), List.of());

    @BeforeAll
    static void readCheckout() throws InterruptedException {
        Optional<Path> root = Checkout.findRoot();
        assumeTrue(root.isPresent(), "not in a git checkout: there is no list of tracked files");
        try {
            checkout = Checkout.read(root.get());
        } catch (IOException e) {
            abort("git cannot list the tracked files: " + e.getMessage());
        }
    }

    @Test
    void theCheckoutWasRead() {
        assertFalse(checkout.files().isEmpty());
    }

    @Test
    void noJavaFileIsLong() {
        assertNone(checkout.java()
                .filter(file -> file.text().lines().count() > JAVA_LINES_MAX)
                .map(file -> file.path() + ": " + file.text().lines().count() + " lines, at most " + JAVA_LINES_MAX));
    }

    @Test
    void noFileNamesAPathOfADevelopersMachine() {
        assertNone(checkout.texts().flatMap(file -> linesWith(file, PRIVATE_PATH.asPredicate())));
    }

    @Test
    void nothingIsMarkedAsUnfinished() {
        assertNone(checkout.texts().flatMap(file -> linesWith(file, UNFINISHED.asPredicate())));
    }

    @Test
    void noTextHasAPronounForAThingWithAName() {
        assertNone(checkout.texts().flatMap(file -> linesWith(file, RIDDLE.asPredicate())));
    }

    @Test
    void everyTextEndsWithOneNewline() {
        assertNone(checkout.texts()
                .filter(file -> !file.text().isEmpty())
                .filter(file -> !file.text().endsWith("\n") || file.text().endsWith("\n\n"))
                .map(TrackedFile::path));
    }

    @Test
    void noLineEndsInWhiteSpace() {
        assertNone(checkout.texts().flatMap(file -> linesWith(file, line -> !line.equals(line.stripTrailing()))));
    }

    @Test
    void noJavaLineHasATab() {
        assertNone(checkout.java().flatMap(file -> linesWith(file, line -> line.contains("\t"))));
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        Set<String> described = checkout.java()
                .filter(file -> file.name().equals("package-info.java"))
                .filter(file -> file.text().contains("/**") && file.text().contains("@NullMarked"))
                .map(TidinessTest::packageInModule)
                .collect(Collectors.toSet());
        assertNone(checkout.java()
                .filter(file -> !file.name().equals("module-info.java"))
                .filter(file -> !file.directory().equals("examples")) // programs of one file, in no package
                .map(TidinessTest::packageInModule)
                .filter(name -> !described.contains(name))
                .distinct()
                .map(name -> name + ": no package-info.java with Javadoc and @NullMarked"));
    }

    @Test
    void everyClassWithTestsHasANameThatSurefireRuns() {
        assertNone(checkout.java()
                .filter(file -> file.path().contains("src/test/java/"))
                .filter(file -> TEST_METHOD.matcher(file.text()).find())
                .filter(file -> !ABSTRACT_CLASS.matcher(file.text()).find())
                .filter(file -> !file.name().endsWith("Test.java"))
                .map(file -> file.path() + ": has tests, but its name does not end in Test"));
    }

    @Test
    void noClassHasAVagueName() {
        assertNone(checkout.java()
                .filter(file -> VAGUE_NAME.matcher(file.name()).matches())
                .filter(file -> !SPECIFICATION_NAMES.contains(file.name()))
                .map(TrackedFile::path));
    }

    @Test
    void noPomNamesARepository() {
        Predicate<String> repository =
                Pattern.compile("<(pluginR|r)epositor(y|ies)>").asPredicate();
        assertNone(checkout.texts()
                .filter(file -> file.name().equals("pom.xml"))
                .flatMap(file -> linesWith(file, repository)));
    }

    /** Tests of a package share its description: main and test sources of a module count as one. */
    private static String packageInModule(TrackedFile file) {
        return file.directory().replaceFirst("src/(main|test)/java/", "");
    }

    private static Stream<String> linesWith(TrackedFile file, Predicate<String> fault) {
        List<String> lines = List.of(file.text().split("\n", -1));
        return IntStream.range(0, lines.size())
                .filter(i -> fault.test(lines.get(i)))
                .mapToObj(i -> file.path() + ":" + (i + 1) + ": " + lines.get(i).strip());
    }

    private static void assertNone(Stream<String> faults) {
        assertEquals("", faults.collect(Collectors.joining("\n")));
    }
}
