package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.time.Seed;

/** Each fault in a net file is an error with the file, the line and both values. */
final class NetFileFaultsTest {
    private static void assertFault(int line, String message, String text) {
        TopologyException e = assertThrows(TopologyException.class, () -> GoldenNet.parse(text));
        assertEquals(OptionalInt.of(line), e.line(), e::getMessage);
        assertEquals(Optional.of("net"), e.file());
        assertTrue(String.valueOf(e.getMessage()).startsWith("net:" + line + ": "), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).contains(message), e::getMessage);
    }

    @Test
    void aSecondNodeOfAName() {
        assertFault(3, "the first is in net:1", "Ca 1 \"a\"\n\nSwitch 4 \"a\"\n");
    }

    @Test
    void aGuidOfTwoNodes() {
        assertFault(4, "0x100000 of both \"a\" and \"b\"", "Ca 1 \"a\"\n\ncaguid=0x100000\nCa 1 \"b\"\n");
        assertFault(5, "0x20 of both \"b\"[1] and \"a\"[2]", "caguid=0x1f\nCa 1 \"b\"\n\ncaguid=0x1e\nCa 2 \"a\"\n");
    }

    @Test
    void aCableWithOneEnd() {
        assertFault(2, "\"a\"[1] leads to \"b\"[1]", "Ca 1 \"a\"\n[1] \"b\"[1]\n\nCa 1 \"b\"\n");
    }

    @Test
    void twoEndsThatDisagree() {
        assertFault(
                2,
                "\"a\"[1] leads to \"s\"[1], which leads to \"b\"[1] (line 8)",
                "Ca 1 \"a\"\n[1] \"s\"[1]\n\nCa 1 \"b\"\n[1] \"s\"[1]\n\nSwitch 2 \"s\"\n[1] \"b\"[1]\n");
    }

    @Test
    void aCableToANodeThatIsNotThere() {
        assertFault(2, "to \"b\" found", "Ca 1 \"a\"\n[1] \"b\"[1]\n");
        assertFault(2, "to \"@b\" found", "Ca 1 \"a\"\n[1] \"@b\"\n");
    }

    @Test
    void aPortOutOfRange() {
        assertFault(2, "port 2 found, 1 … 1 expected", "Ca 1 \"a\"\n[2] \"b\"[1]\n\nCa 1 \"b\"\n");
        assertFault(2, "port 0 found", "Switch 1 \"a\"\n[0] \"b\"[1]\n\nCa 1 \"b\"\n");
        assertFault(2, "to \"b\"[3] found, port 1 … 1 expected", "Ca 1 \"a\"\n[1] \"b\"[3]\n\nCa 1 \"b\"\n");
        assertFault(2, "port 0 at the other end", "Ca 1 \"a\"\n[1] \"b\"[0]\n\nCa 1 \"b\"\n");
        assertFault(1, "number of ports 255 found, 1 … 254 expected", "Switch 255 \"a\"\n");
        assertFault(1, "number of ports 0 found", "Switch 0 \"a\"\n");
    }

    @Test
    void aPortWithTwoLines() {
        assertFault(3, "second line of port 1", "Ca 1 \"a\"\n[1] \"b\"[1]\n[1] \"b\"[2]\n\nCa 2 \"b\"\n");
    }

    @Test
    void aCableFromAPortToItself() {
        assertFault(2, "to itself", "Ca 1 \"a\"\n[1] \"a\"[1]\n");
    }

    @Test
    void aPortLineOutsideOfANode() {
        assertFault(3, "outside of a node", "Ca 1 \"a\"\n\n[1] \"a\"[1]\n");
        assertFault(2, "outside of a node", "Swich 8 \"a\"\n[1] \"a\"[1]\n");
    }

    @ParameterizedTest
    @CsvSource({"3xEDR, 3x", "4xFOO, FOO", "4xEDRX, EDRX", "16xEDR, 16x"})
    void anUnknownWidthOrSpeed(String rate, String found) {
        assertFault(
                2,
                found + " found",
                "Ca 1 \"a\"\n[1] \"b\"[1] # \"b\" lid 0 " + rate + "\n\nCa 1 \"b\"\n[1] \"a\"[1]\n");
    }

    @ParameterizedTest
    @CsvSource({"w=0", "w=32", "w=x", "s=8", "e=16", "f=2", "l=1000001", "w=99999999999999999999"})
    void anOptionOutOfRange(String option) {
        assertFault(2, option.substring(0, 2), "Ca 1 \"a\"\n[1] \"b\"[1] " + option + "\n\nCa 1 \"b\"\n[1] \"a\"[1]\n");
    }

    @Test
    void portsWithoutACommonWidth() {
        assertFault(1, "no common width", "Ca 1 \"a\"\n[1] \"b\"[1] w=1\n\nCa 1 \"b\"\n[1] \"a\"[1] w=2\n");
    }

    @Test
    void twoLengthsOfACable() {
        assertFault(2, "length of 7 cm found, 8", "Ca 1 \"a\"\n[1] \"b\"[1] l=7\n\nCa 1 \"b\"\n[1] \"a\"[1] l=8\n");
    }

    @ParameterizedTest
    @CsvSource({
        "vendid=abc",
        "vendid=",
        "vendid",
        "vendid=0x1000000",
        "devid=0x10000",
        "caguid=0x1234567890abcdef0",
        "caguid=12z",
        "switchguid 7",
        "width=0",
        "width=32",
        "speed=8",
        "extspeed=16",
        "module=x",
        "'module=\"a name of more than twenty characters\"'",
        "'module=\"a#b\"'",
        "include x",
        "vendorid=3",
        "caguid=0",
    })
    void aBadSetting(String line) {
        assertFault(line.equals("caguid=0") ? 2 : 1, "", line + "\nCa 1 \"a\"\n");
    }

    @ParameterizedTest
    @CsvSource({
        "Ca \"a\"",
        "Ca 1 a",
        "Ca 1 \"a",
        "Ca 1 \"\"",
        "Ca 1 \"a#b\"",
        "Ca 1 \"a@b\"",
        "Ca 1 \"a\" # \"open",
    })
    void aBadNodeLine(String line) {
        assertFault(2, "", "\n" + line + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "[1",
        "[1]",
        "[x] \"b\"[1]",
        "[1] b[1]",
        "[1] \"b[1]",
        "[99999999999] \"b\"",
        "[1] \"b\"[1] # lid 70000 lmc 0"
    })
    void aBadPortLine(String line) {
        assertFault(2, "", "Ca 1 \"a\"\n" + line + "\n\nCa 1 \"b\"\n[1] \"a\"[1]\n");
    }

    @Test
    void aNameOrDescriptionThatIsTooLong() {
        assertFault(1, "64", "Ca 1 \"" + "n".repeat(65) + "\"\n");
        assertFault(1, "64", "Ca 1 \"a\" # \"" + "d".repeat(65) + "\"\n");
    }

    @Test
    void aLineThatIsTooLong() {
        assertFault(1, "at most 254", "Ca 1 \"a\"" + " ".repeat(247) + "\n");
        assertEquals(
                1,
                GoldenNet.parse("Ca 1 \"a\"" + " ".repeat(246) + "\n").nodes().size());
    }

    @Test
    void twoPortsWithOneAlias() {
        assertFault(3, "\"@x\"", "Switch 4 \"a\"\n@[1] \"x\"\n@[2] \"x\"\n");
        assertFault(
                6, "two cables at \"a\"[1]", "Switch 4 \"a\"\n@[1] \"x\"\n\nSwitch 4 \"b\"\n[1] \"@x\"\n[2] \"@x\"\n");
    }

    @Test
    void includesThatDoNotEnd() {
        TopologyException e = assertThrows(TopologyException.class, () -> NetFile.parse("a", _ -> "include \"a\"\n"));
        assertTrue(String.valueOf(e.getMessage()).contains("include within 9 others"), e::getMessage);
    }

    @Test
    void aFaultInAnIncludedFileNamesThatFile() {
        TopologyException e = assertThrows(
                TopologyException.class,
                () -> NetFile.parse("a", name -> name.equals("a") ? "\ninclude \"b\"\n" : "vendid=x\n"));
        assertTrue(String.valueOf(e.getMessage()).startsWith("b:1: "), e::getMessage);
    }

    @Test
    void aFileThatIsNotThereIsAFaultOfTheLineThatIncludesIt() {
        TopologyException e = assertThrows(
                TopologyException.class,
                () -> NetFile.parse("a", name -> {
                    if (name.equals("a")) {
                        return "\ninclude \"b\"\n";
                    }
                    throw new TopologyException("no file \"b\" found");
                }));
        assertTrue(String.valueOf(e.getMessage()).startsWith("a:2: no file \"b\" found"), e::getMessage);
    }

    /** A golden file with characters changed is read or refused; no other exception leaves the parser. */
    @Test
    void noiseIsReadOrRefused() {
        Seed seed = new Seed(7);
        String golden = GoldenNet.text("two-switch");
        String signs = "\"[]()#@=+\n\t 0129xabS\u00e4\u2026";
        int refused = 0;
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder(golden);
            for (int i = 0; i <= seed.nextInt(4); i++) {
                text.setCharAt(seed.nextInt(text.length()), signs.charAt(seed.nextInt(signs.length())));
            }
            try {
                GoldenNet.parse(text.toString());
            } catch (TopologyException e) {
                refused++;
                assertTrue(e.line().isPresent(), e::getMessage);
            }
        }
        assertTrue(refused > 500, () -> "refused too few");
    }
}
