package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The tests that docs/reference/conformance.md names are there. */
final class ConformanceTest {
    private static final String PAGE = "docs/reference/conformance.md";
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");
    private static final int NAMED_MIN = 60;

    @Test
    void everyTestNamedExists() throws IOException, InterruptedException {
        Optional<Path> root = Checkout.findRoot();
        Assumptions.assumeTrue(root.isPresent(), "not a checkout");
        Checkout checkout = Checkout.read(root.get());
        String page = checkout.texts()
                .filter(file -> file.path().equals(PAGE))
                .findFirst()
                .orElseThrow()
                .text();
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        assertTrue(named.size() >= NAMED_MIN, () -> named.size() + " tests are named");
        var missing = new ArrayList<String>();
        for (MatchResult test : named) {
            if (!exists(checkout, test.group(1), test.group(2))) {
                missing.add(test.group());
            }
        }
        assertEquals(List.of(), missing);
    }

    static boolean exists(Checkout checkout, String type, String method) {
        return checkout.java()
                .filter(file ->
                        file.path().contains("/src/test/") && file.name().equals(type + ".java"))
                .anyMatch(file -> file.text().contains("    void " + method + "("));
    }
}
