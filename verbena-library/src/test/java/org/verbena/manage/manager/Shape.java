package org.verbena.manage.manager;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A subnet for tests: switches, hosts, cables. Read from a golden net file, or made. */
final class Shape {
    /** One end of a cable. */
    record End(Member node, int port) {}

    /** A switch or a host. */
    static final class Member {
        final String name;
        final boolean isSwitch;
        final long guid;
        final int ports;
        final Map<Integer, End> cables = new HashMap<>();

        Member(String name, boolean isSwitch, long guid, int ports) {
            this.name = name;
            this.isSwitch = isSwitch;
            this.guid = guid;
            this.ports = ports;
        }

        long portGuid(int port) {
            return isSwitch ? guid : guid + port;
        }

        int freePort() {
            for (int port = 1; port <= ports; port++) {
                if (!cables.containsKey(port)) {
                    return port;
                }
            }
            throw new AssertionError(name + " has no free port");
        }
    }

    private static final Pattern GUID = Pattern.compile("(switchguid|caguid|rtguid)=0x([0-9a-f]+).*");
    private static final Pattern NODE = Pattern.compile("(Switch|Ca|Rt)\\s+(\\d+)\\s+\"([^\"]+)\".*");
    private static final Pattern PORT = Pattern.compile("\\[(\\d+)]\\S*\\s+\"([^\"]+)\"\\[(\\d+)].*");
    private static final long SWITCH_GUID = 0x0002_c902_0000_0000L;
    private static final long HOST_GUID = 0x0002_c903_0000_0000L;

    final String name;
    final List<Member> members = new ArrayList<>();

    Shape(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }

    Member member(String wanted) {
        return members.stream()
                .filter(member -> member.name.equals(wanted))
                .findFirst()
                .orElseThrow();
    }

    List<Member> switches() {
        return members.stream().filter(member -> member.isSwitch).toList();
    }

    List<Member> hosts() {
        return members.stream().filter(member -> !member.isSwitch).toList();
    }

    Member addSwitch(int ports) {
        int number = switches().size() + 1;
        Member made = new Member("sw" + number, true, SWITCH_GUID + ((long) number << 8), ports);
        members.add(made);
        return made;
    }

    Member addHost(Member at) {
        int number = members.size() + 1;
        Member made = new Member("h" + number, false, HOST_GUID + ((long) number << 4), 1);
        members.add(made);
        connect(at, at.freePort(), made, 1);
        return made;
    }

    static void connect(Member one, int onePort, Member other, int otherPort) {
        one.cables.put(onePort, new End(other, otherPort));
        other.cables.put(otherPort, new End(one, onePort));
    }

    static void connect(Member one, Member other) {
        connect(one, one.freePort(), other, other.freePort());
    }

    static void disconnect(Member one, int port) {
        End end = Objects.requireNonNull(one.cables.remove(port));
        end.node().cables.remove(end.port());
    }

    /** The four golden subnets. */
    static List<Shape> golden() {
        return List.of(golden("two-switch"), golden("ring6"), golden("fattree2-16"), golden("mesh4x4"));
    }

    /** Switches with different numbers of end nodes, and what OpenSM made of them. */
    static Shape uneven() {
        return read("irregular", "/vectors/subnets/irregular/irregular.net");
    }

    static Shape golden(String name) {
        return read(name, "/subnets/" + name + "/" + name + ".net");
    }

    private static Shape read(String name, String path) {
        Shape shape = new Shape(name);
        Map<String, Member> byName = new LinkedHashMap<>();
        List<String> lines = resource(path);
        for (boolean nodes : new boolean[] {true, false}) {
            long guid = 0;
            Member current = null;
            for (String line : lines) {
                Matcher matcher = GUID.matcher(line);
                if (matcher.matches()) {
                    guid = Long.parseUnsignedLong(matcher.group(2), 16);
                    continue;
                }
                matcher = NODE.matcher(line);
                if (matcher.matches()) {
                    if (nodes) {
                        Member made = new Member(
                                matcher.group(3),
                                matcher.group(1).equals("Switch"),
                                guid,
                                Integer.parseInt(matcher.group(2)));
                        byName.put(made.name, made);
                    }
                    current = byName.get(matcher.group(3));
                    continue;
                }
                matcher = PORT.matcher(line);
                if (!nodes && current != null && matcher.matches()) {
                    current.cables.put(
                            Integer.parseInt(matcher.group(1)),
                            new End(
                                    Objects.requireNonNull(byName.get(matcher.group(2))),
                                    Integer.parseInt(matcher.group(3))));
                }
            }
        }
        shape.members.addAll(byName.values());
        return shape;
    }

    static List<String> lines(String net, String file) {
        return goldenLines(net + "/" + file);
    }

    static List<String> goldenLines(String file) {
        return resource("/vectors/subnets/" + file);
    }

    private static List<String> resource(String path) {
        try (InputStream in = Shape.class.getResourceAsStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Port GUID to the first local identifier, as OpenSM gave them. */
    static Map<Long, Integer> goldenLids(String net) {
        Map<Long, Integer> lids = new HashMap<>();
        for (String line : lines(net, "guid2lid.txt")) {
            String[] words = line.split(" ", -1);
            if (words.length == 3) {
                lids.put(Long.parseUnsignedLong(words[0].substring(2), 16), Integer.decode(words[1]));
            }
        }
        return lids;
    }

    static Shape ring(int switches, int hosts) {
        Shape shape = new Shape("ring of " + switches);
        for (int at = 0; at < switches; at++) {
            shape.addSwitch(hosts + 2);
        }
        List<Member> all = shape.switches();
        for (int at = 0; at < switches; at++) {
            connect(all.get(at), all.get((at + 1) % switches));
        }
        all.forEach(at -> shape.addHosts(at, hosts));
        return shape;
    }

    static Shape torus(int width, int height, int hosts) {
        Shape shape = new Shape("torus " + width + "x" + height);
        for (int at = 0; at < width * height; at++) {
            shape.addSwitch(hosts + 4);
        }
        List<Member> all = shape.switches();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                connect(all.get(y * width + x), all.get(y * width + (x + 1) % width));
                connect(all.get(y * width + x), all.get((y + 1) % height * width + x));
            }
        }
        all.forEach(at -> shape.addHosts(at, hosts));
        return shape;
    }

    /** Three levels of switches with this number of ports: ports^3 / 4 hosts. */
    static Shape tree(int ports) {
        Shape shape = new Shape("tree of " + ports + "-port switches");
        int half = ports / 2;
        List<Member> cores = new ArrayList<>();
        for (int at = 0; at < half * half; at++) {
            cores.add(shape.addSwitch(ports));
        }
        List<Member> leaves = new ArrayList<>();
        for (int pod = 0; pod < ports; pod++) {
            List<Member> below = new ArrayList<>();
            for (int at = 0; at < half; at++) {
                below.add(shape.addSwitch(ports));
            }
            for (int at = 0; at < half; at++) {
                Member made = shape.addSwitch(ports);
                for (int leaf = 0; leaf < half; leaf++) {
                    connect(made, leaf + 1, below.get(leaf), half + at + 1);
                }
                for (int core = 0; core < half; core++) {
                    connect(made, half + core + 1, cores.get(at * half + core), pod + 1);
                }
            }
            leaves.addAll(below);
        }
        leaves.forEach(leaf -> shape.addHosts(leaf, half));
        return shape;
    }

    /** A connected subnet without a plan. */
    static Shape irregular(int switches, int cables, int hosts, long seed) {
        Shape shape = new Shape("irregular " + switches + ", seed " + seed);
        Random chance = new Random(seed);
        for (int at = 0; at < switches; at++) {
            Member made = shape.addSwitch(switches + cables + hosts);
            if (at > 0) {
                connect(made, shape.members.get(chance.nextInt(at)));
            }
        }
        for (int at = 0; at < cables; at++) {
            int one = chance.nextInt(switches);
            int other = (one + 1 + chance.nextInt(switches - 1)) % switches;
            connect(shape.members.get(one), shape.members.get(other));
        }
        List<Member> all = shape.switches();
        for (int at = 0; at < hosts; at++) {
            shape.addHost(all.get(chance.nextInt(switches)));
        }
        return shape;
    }

    void addHosts(Member at, int count) {
        for (int number = 0; number < count; number++) {
            addHost(at);
        }
    }

    /** The graph with these local identifiers by port GUID. */
    SubnetGraph graph(Map<Long, Integer> lids, int lmc) {
        SubnetGraph.Builder builder = new SubnetGraph.Builder();
        Map<Member, Integer> numbers = new HashMap<>();
        for (Member member : members) {
            if (member.isSwitch) {
                numbers.put(
                        member,
                        builder.addSwitch(member.guid, member.ports, Objects.requireNonNull(lids.get(member.guid)), 0));
            }
        }
        for (Member member : members) {
            member.cables.forEach((port, end) -> {
                if (!member.isSwitch) {
                    builder.addEnd(
                            member.portGuid(port),
                            Objects.requireNonNull(lids.get(member.portGuid(port))),
                            lmc,
                            numbers.getOrDefault(end.node(), SubnetGraph.NONE),
                            end.port());
                } else if (end.node().isSwitch) {
                    builder.connect(
                            Objects.requireNonNull(numbers.get(member)),
                            port,
                            Objects.requireNonNull(numbers.get(end.node())),
                            end.port());
                }
            });
        }
        return builder.build();
    }

    /** The graph with local identifiers in the order of the members. */
    SubnetGraph graph(int lmc) {
        Map<Long, Integer> lids = new HashMap<>();
        int next = 1;
        for (Member member : members) {
            for (int port : member.isSwitch ? List.of(0) : member.cables.keySet()) {
                int width = member.isSwitch ? 1 : 1 << lmc;
                next = (next + width - 1) / width * width;
                lids.put(member.portGuid(port), next);
                next += width;
            }
        }
        return graph(lids, lmc);
    }
}
