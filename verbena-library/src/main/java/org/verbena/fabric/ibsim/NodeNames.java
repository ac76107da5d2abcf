package org.verbena.fabric.ibsim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;

/** Finds the port at which a client wants to be: by the name of a node, else by its description, with or without a number of a port. */
final class NodeNames {
    /** Digits of the highest number of a port. */
    private static final Pattern WITH_PORT = Pattern.compile("(.+)\\[(\\d{1,3})\\]");

    private final List<ManagedNode> nodes;
    private final Map<String, ManagedNode> byName = new HashMap<>();
    private final Map<String, ManagedNode> byDescription = new HashMap<>();

    NodeNames(List<ManagedNode> nodes) {
        this.nodes = nodes;
        for (ManagedNode node : nodes) {
            byName.putIfAbsent(node.name(), node);
            byDescription.putIfAbsent(node.description(), node);
        }
    }

    /** The port; null if there is none. The empty name is that of the first node. */
    @Nullable
    ManagedPort find(String name) {
        ManagedNode node = name.isEmpty() && !nodes.isEmpty() ? nodes.getFirst() : node(name);
        if (node != null) {
            return node.portCount() > 0 || node.isSwitch() ? node.port(node.isSwitch() ? 0 : 1) : null;
        }
        Matcher matcher = WITH_PORT.matcher(name);
        return matcher.matches() ? port(node(matcher.group(1)), Integer.parseInt(matcher.group(2))) : null;
    }

    private @Nullable ManagedNode node(String name) {
        ManagedNode named = byName.get(name);
        return named != null ? named : byDescription.get(name);
    }

    private static @Nullable ManagedPort port(@Nullable ManagedNode node, int number) {
        if (node == null) {
            return null;
        }
        boolean attachable = node.isSwitch() ? number == 0 : number >= 1 && number <= node.portCount();
        return attachable ? node.port(number) : null;
    }
}
