package org.verbena.tools.fabric;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.FabricException;
import org.verbena.fabric.topology.NetFile;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;

/**
 * Follows lines of text that change or show a fabric: those of the console, and those of net files behind {@code do}. Words of ibsim are
 * synonyms. A line that is not understood changes nothing; the console says what it expected.
 */
final class FabricConsole {
    /** A name, with or without quotes, and the number of a port in brackets. */
    private static final Pattern WORD = Pattern.compile("\\s*(?:\"([^\"]*)\"|([^\\s\"\\[\\]]+))(?:\\[(\\d{1,3})\\])?");

    private static final String HELP = """
            unplug NODE[PORT]              pull a cable; without [PORT] all cables of the node (Unlink)
            plug NODE[PORT] NODE[PORT]     connect two ports by a cable (Link)
            relink NODE[PORT]              plug a pulled cable in again; without [PORT] all of the node (ReLink)
            list [NODE]                    states, identifiers and cables of all ports, or of one node
            counters NODE[PORT]            counters of a port
            server                         clients and counters of the server
            traffic                        rates and errors of the traffic
            help                           these lines
            quit                           end
            Names with spaces stand in quotes.""";

    /** What the console shows but does not own. */
    interface Reports {
        /** Of a fabric that is not served. */
        Reports NONE = new Reports() {
            @Override
            public List<String> server() {
                return List.of("no server: start with --ibsim");
            }

            @Override
            public List<String> traffic() {
                return List.of("no traffic: start with --traffic");
            }
        };

        List<String> server();

        List<String> traffic();
    }

    private record Word(String name, @Nullable Integer port) {}

    private final Fabric fabric;
    private final Reports reports;
    private final PrintWriter out;
    /** Pulled cables by the end that was named, and by the other end. */
    private final Map<ManagedPort, ManagedPort> pulled = new LinkedHashMap<>();

    FabricConsole(Fabric fabric, Reports reports, PrintWriter out) {
        this.fabric = fabric;
        this.reports = reports;
        this.out = out;
    }

    /** Follows the lines of a net file. One that is not understood is named with file and line. */
    void follow(NetFile net) {
        for (NetFile.Command command : net.commands()) {
            follow(command.text(), command.file() + ":" + command.line() + ": ");
        }
    }

    /** Follows a line; false if it asks for the end. */
    boolean follow(String line) {
        return follow(line, "");
    }

    private boolean follow(String line, String where) {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return true;
        }
        boolean goOn = true;
        List<String> said = new ArrayList<>();
        try {
            goOn = follow(words(text), said);
        } catch (FabricException | IllegalArgumentException e) {
            said.add(where + text + ": " + e.getMessage());
        }
        said.forEach(out::println);
        out.flush();
        return goOn;
    }

    private boolean follow(List<Word> words, List<String> said) {
        String command = words.getFirst().name().toLowerCase(Locale.ROOT);
        List<Word> rest = words.subList(1, words.size());
        switch (command) {
            case "unplug", "unlink" -> onFabric(() -> unplug(one(rest), said));
            case "plug", "link" -> onFabric(() -> plug(rest, said));
            case "relink" -> onFabric(() -> relink(one(rest), said));
            case "list" -> onFabric(() -> list(rest, said));
            case "counters" -> onFabric(() -> said.addAll(PortLines.counters(port(one(rest)))));
            case "server" -> onFabric(() -> said.addAll(reports.server()));
            case "traffic" -> said.addAll(reports.traffic());
            case "help", "?" -> said.add(HELP);
            case "quit", "exit" -> {
                return false;
            }
            default -> throw new IllegalArgumentException("unknown word, try help");
        }
        return true;
    }

    /** The commands look at and change what the fabric's thread owns. */
    private void onFabric(Runnable command) {
        List<RuntimeException> thrown = new ArrayList<>();
        fabric.call(() -> {
            try {
                command.run();
            } catch (FabricException | IllegalArgumentException e) {
                thrown.add(e);
            }
        });
        if (!thrown.isEmpty()) {
            throw thrown.getFirst();
        }
    }

    private static List<Word> words(String text) {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        int at = 0;
        while (matcher.find(at) && matcher.start() == at) {
            String quoted = matcher.group(1);
            String number = matcher.group(3);
            words.add(new Word(
                    quoted != null ? quoted : matcher.group(2), number == null ? null : Integer.valueOf(number)));
            at = matcher.end();
        }
        if (words.isEmpty() || at < text.length()) {
            throw new IllegalArgumentException("\"" + text.substring(at).strip() + "\" found, NODE[PORT] expected");
        }
        return words;
    }

    private static Word one(List<Word> words) {
        if (words.size() != 1) {
            throw new IllegalArgumentException(words.size() + " names found, one expected");
        }
        return words.getFirst();
    }

    private ManagedPort port(Word word) {
        ManagedNode node = fabric.node(word.name());
        Integer number = word.port();
        int least = node.isSwitch() ? 0 : 1;
        if (number == null || number < least || number > node.portCount()) {
            throw new IllegalArgumentException((number == null ? "no port" : "port " + number) + " of " + node.name()
                    + " found, [" + least + "] … [" + node.portCount() + "] expected");
        }
        return node.port(number);
    }

    /** The port that a word names, or all ports of the node. */
    private List<ManagedPort> ports(Word word) {
        if (word.port() != null) {
            return List.of(port(word));
        }
        ManagedNode node = fabric.node(word.name());
        List<ManagedPort> ports = new ArrayList<>();
        for (int number = 1; number <= node.portCount(); number++) {
            ports.add(node.port(number));
        }
        return ports;
    }

    private void unplug(Word word, List<String> said) {
        List<ManagedPort> ports =
                ports(word).stream().filter(port -> port.peer() != null).toList();
        if (ports.isEmpty()) {
            throw new IllegalArgumentException("no cable found");
        }
        for (ManagedPort port : ports) {
            ManagedPort peer = port.peer();
            if (peer != null) {
                fabric.unplug(port);
                pulled.put(port, peer);
                pulled.put(peer, port);
                said.add("unplugged " + port + " and " + peer);
            }
        }
    }

    private void plug(List<Word> words, List<String> said) {
        if (words.size() != 2) {
            throw new IllegalArgumentException(words.size() + " ports found, two expected");
        }
        plug(port(words.get(0)), port(words.get(1)), said);
    }

    private void plug(ManagedPort port, ManagedPort other, List<String> said) {
        fabric.plug(port, other);
        pulled.remove(port);
        pulled.remove(other);
        said.add("plugged " + port + " and " + other);
    }

    private void relink(Word word, List<String> said) {
        List<ManagedPort> ports =
                ports(word).stream().filter(pulled::containsKey).toList();
        if (ports.isEmpty()) {
            throw new IllegalArgumentException("no pulled cable found");
        }
        for (ManagedPort port : ports) {
            ManagedPort other = pulled.get(port);
            if (other != null) {
                plug(port, other, said);
            }
        }
    }

    private void list(List<Word> words, List<String> said) {
        List<ManagedNode> nodes = words.isEmpty()
                ? fabric.nodes()
                : List.of(fabric.node(one(words).name()));
        nodes.forEach(node -> said.addAll(PortLines.of(node)));
    }
}
