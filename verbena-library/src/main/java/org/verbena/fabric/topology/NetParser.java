package org.verbena.fabric.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.NodeKind;

/** Reads net files line by line. {@link NetCabling} joins the ends when all nodes are known. */
final class NetParser {
    /** ibsim's, without the line's end. It takes the rest of a longer line for another line. */
    static final int LINE_MAX = 254;

    private static final int MODULE_MAX = 20;
    private static final int INCLUDES_MAX = 9;
    private static final Pattern NODE = Pattern.compile("\\w+\\s*(\\d{1,9})\\s*\"([^\"]*)\"(.*)");
    private static final Pattern UNQUOTED_END = Pattern.compile(" (enhanced port|base port|lid|lmc) ");
    private static final Pattern SETTING = Pattern.compile("\\w+\\s*[=+].*");

    private final NetSource source;
    private final NetDefaults defaults = new NetDefaults();
    private final List<NetNode> nodes = new ArrayList<>();
    private final Map<String, NetNode> byName = new HashMap<>();
    private final Map<String, NetCabling.End> aliases = new HashMap<>();
    private final List<NetFile.Command> commands = new ArrayList<>();
    private int includes;
    /** The node whose port lines follow. */
    private @Nullable NetNode open;

    NetParser(NetSource source) {
        this.source = source;
    }

    NetFile parse(String name) {
        readFile(name);
        NetCabling cabling = new NetCabling(nodes, byName, aliases);
        try {
            return new NetFile(new Topology(nodes.stream().map(NetNode::node).toList(), cabling.cables()), commands);
        } catch (TopologyException e) {
            throw e.node() < 0 ? e : nodes.get(e.node()).line.error(e);
        }
    }

    private void readFile(String name) {
        int number = 0;
        for (String text : (Iterable<String>) source.text(name).lines()::iterator) {
            number++;
            NetLine line = new NetLine(name, number, text);
            if (!line.startsWith('#')) {
                if (text.length() > LINE_MAX) {
                    throw line.error(
                            "line of " + text.length() + " characters found, at most " + LINE_MAX + " expected");
                }
                readLine(line);
            }
        }
        open = null;
    }

    private void readLine(NetLine line) {
        if (line.startsWith('[') || line.startsWith('@')) {
            readPort(line);
            return;
        }
        open = null;
        switch (line.word()) {
            case "Switch" -> readNode(line, NodeKind.SWITCH);
            case "Hca", "Ca" -> readNode(line, NodeKind.ADAPTER);
            case "Rt" -> readNode(line, NodeKind.ROUTER);
            case "switchguid", "switchguids" -> readGuid(line, NodeKind.SWITCH);
            case "caguid", "caguids", "hcaguid", "hcaguids" -> readGuid(line, NodeKind.ADAPTER);
            case "rtguid", "rtguids" -> readGuid(line, NodeKind.ROUTER);
            case "include" -> include(line);
            case "do" ->
                commands.add(new NetFile.Command(line.text().substring(2).strip(), line.file(), line.number()));
            default -> readSetting(line);
        }
    }

    private void readSetting(NetLine line) {
        switch (line.word()) {
            case "vendid" -> defaults.vendorId = line.value("vendid", 0, TopologyNode.VENDOR_MAX);
            case "devid" -> defaults.deviceId = line.value("devid", 0, TopologyNode.DEVICE_MAX);
            case "sysimgguid" -> defaults.systemImageGuid = line.value();
            case "width" -> defaults.widths = line.value("width", 1, PortRates.WIDTHS);
            case "speed" -> defaults.speeds = line.value("speed", 1, PortRates.SPEEDS);
            case "extspeed" -> defaults.extended = line.value("extspeed", 0, PortRates.EXTENDED_SPEEDS);
            case "place" -> defaults.place = line.quoted();
            case "module" -> defaults.module = module(line);
            case "pdebug" -> {} // of ibsim's parser
            default -> {
                if (SETTING.matcher(line.text()).matches()) {
                    throw line.error(
                            "setting \"" + line.word()
                                    + "\" found; switchguid, caguid, rtguid, vendid, devid, sysimgguid, width, speed, extspeed, module or place expected");
                }
                // Other text is no part of the topology, such as headings of ibnetdiscover. A port line behind it
                // fails.
            }
        }
    }

    private static String module(NetLine line) {
        String module = line.quoted();
        if (module.length() > MODULE_MAX || module.indexOf('#') >= 0 || module.indexOf('@') >= 0) {
            throw line.error("module \"" + module + "\" found, at most " + MODULE_MAX
                    + " characters without '#' and '@' expected");
        }
        return module;
    }

    private void readGuid(NetLine line, NodeKind kind) {
        if (line.text().indexOf('=') < 0 && line.text().indexOf('+') >= 0) {
            defaults.skipGuids(kind, line.value('+'));
        } else {
            defaults.startGuids(kind, line.value());
        }
    }

    private void include(NetLine line) {
        if (includes == INCLUDES_MAX) {
            throw line.error("include within " + INCLUDES_MAX + " others found, no deeper one expected");
        }
        includes++;
        try {
            readFile(line.quoted());
        } catch (TopologyException e) {
            throw line.error(e);
        }
        includes--;
    }

    private void readNode(NetLine line, NodeKind kind) {
        Matcher node = NODE.matcher(line.text());
        if (!node.matches()) {
            throw line.error("a node line such as " + line.word() + " 8 \"name\" expected");
        }
        int ports = Integer.parseInt(node.group(1));
        line.requireRange("number of ports", ports, 1, TopologyNode.PORTS_MAX);
        String id = node.group(2);
        if (id.isEmpty() || id.indexOf('#') >= 0 || id.indexOf('@') >= 0) {
            throw line.error("name \"" + id + "\" found, characters other than '#' and '@' expected");
        }
        String rest = node.group(3);
        int comment = rest.indexOf('#');
        String text = comment < 0 ? "" : rest.substring(comment + 1).stripLeading();
        int end = descriptionEnd(line, text);
        String description = text.substring(text.startsWith("\"") ? 1 : 0, end).strip();
        NetNode made =
                new NetNode(line, kind, defaults.inModule(id), ports, description, text.substring(end), defaults);
        NetNode other = byName.putIfAbsent(made.name, made);
        if (other != null) {
            throw line.error("second node \"" + made.name + "\" found, the first is in " + other.line.file() + ":"
                    + other.line.number());
        }
        nodes.add(made);
        open = made;
    }

    private static int descriptionEnd(NetLine line, String text) {
        if (text.startsWith("\"")) {
            int close = text.indexOf('"', 1);
            if (close < 0) {
                throw line.error("a quotation mark behind the description expected");
            }
            return close;
        }
        Matcher end = UNQUOTED_END.matcher(text);
        return end.find() ? end.start() : text.length();
    }

    private void readPort(NetLine line) {
        NetNode node = open;
        if (node == null) {
            throw line.error(
                    "port line outside of a node found; it is expected directly below a node line or another port line");
        }
        NetPortLine end = NetPortLine.read(line);
        node.add(end.in(defaults));
        if (end.alias()) {
            NetCabling.End before =
                    aliases.putIfAbsent(defaults.module + "@" + end.remote(), new NetCabling.End(node, end.port()));
            if (before != null) {
                throw line.error("second port with the name \"@" + end.remote() + "\" found, the first is "
                        + before.node().name + "[" + before.port() + "]");
            }
        }
    }
}
