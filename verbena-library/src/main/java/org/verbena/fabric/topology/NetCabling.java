package org.verbena.fabric.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Joins the port lines of a net file to cables. Both ends of a cable are listed and name each other, or one names the other by its alias. */
final class NetCabling {
    /** A port. */
    record End(NetNode node, int port) {
        @Override
        public String toString() {
            return "\"" + node.name + "\"[" + port + "]";
        }
    }

    private final List<NetNode> nodes;
    private final Map<String, NetNode> byName;
    private final Map<String, End> aliases;
    private final Map<NetNode, Integer> indexes = new HashMap<>();
    private final Map<End, End> joinedByAlias = new HashMap<>();

    NetCabling(List<NetNode> nodes, Map<String, NetNode> byName, Map<String, End> aliases) {
        this.nodes = nodes;
        this.byName = byName;
        this.aliases = aliases;
        for (int i = 0; i < nodes.size(); i++) {
            indexes.put(nodes.get(i), i);
        }
    }

    List<Cable> cables() {
        List<Cable> cables = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            NetNode node = nodes.get(i);
            for (int port = 1; port <= node.ports; port++) {
                NetPortLine line = node.ends.get(port);
                if (line == null || line.alias()) {
                    continue;
                }
                End here = new End(node, port);
                End there = line.remote().indexOf('@') >= 0 ? byAlias(here, line) : byName(here, line);
                int other = indexOf(there.node());
                // The other end of a cable with two lines makes no second one.
                if (i < other
                        || (i == other && port < there.port())
                        || line.remote().indexOf('@') >= 0) {
                    cables.add(new Cable(i, port, other, there.port(), length(line, there)));
                }
            }
        }
        return cables;
    }

    private int indexOf(NetNode node) {
        Integer index = indexes.get(node);
        if (index == null) {
            throw new IllegalStateException(node.name);
        }
        return index;
    }

    private End byName(End here, NetPortLine line) {
        NetNode node = byName.get(line.remote());
        if (node == null) {
            throw line.line()
                    .error("cable from " + here + " to \"" + line.remote() + "\" found, a node of the file expected");
        }
        End there = new End(node, line.remotePort() == 0 ? 1 : line.remotePort());
        if (there.port() > node.ports) {
            throw line.line()
                    .error("cable from " + here + " to " + there + " found, port 1 … " + node.ports + " expected");
        }
        if (there.equals(here)) {
            throw line.line().error("cable from " + here + " to itself found, two ports expected");
        }
        NetPortLine back = node.ends.get(there.port());
        if (back == null) {
            throw line.line()
                    .error("cable with one end found: " + here + " leads to " + there + ", which has no line; a line ["
                            + there.port() + "] \"" + here.node().name + "\"[" + here.port() + "] expected there");
        }
        int backPort = back.remotePort() == 0 ? 1 : back.remotePort();
        if (!back.remote().equals(here.node().name) || backPort != here.port()) {
            throw line.line()
                    .error("two ends that disagree found: " + here + " leads to " + there + ", which leads to \""
                            + back.remote() + "\"[" + backPort + "] (line "
                            + back.line().number() + ")");
        }
        return there;
    }

    private End byAlias(End here, NetPortLine line) {
        End there = aliases.get(line.remote());
        if (there == null) {
            throw line.line()
                    .error("cable from " + here + " to \"" + line.remote() + "\" found, the alias of a port expected");
        }
        End other = joinedByAlias.putIfAbsent(there, here);
        if (other != null) {
            throw line.line().error("two cables at " + there + " found, from " + other + " and from " + here);
        }
        return there;
    }

    /** Both ends may give the length; they must agree. */
    private static int length(NetPortLine line, End there) {
        NetPortLine back = there.node().ends.get(there.port());
        OptionalInt other = back == null ? OptionalInt.empty() : back.lengthCm();
        if (line.lengthCm().isPresent() && other.isPresent() && line.lengthCm().getAsInt() != other.getAsInt()) {
            throw line.line()
                    .error("length of " + line.lengthCm().getAsInt() + " cm found, " + other.getAsInt()
                            + " at the other end");
        }
        return line.lengthCm().orElse(other.orElse(Cable.USUAL_CM));
    }
}
