package org.verbena.tools;

import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.PageSize;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.tools.console.Figures;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterLimits;
import org.verbena.verbs.AdapterOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code verbena devinfo}: the capabilities of an adapter, and the addresses of this machine it can use; like ibv_devinfo. */
@Command(
        name = "devinfo",
        description = "Show the capabilities of an adapter and the addresses of this machine it can use.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class DevinfoCommand implements Runnable {
    private static final AdapterOptions OPTIONS = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL);

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        AdapterLimits limits = AdapterLimits.of(OPTIONS);
        row(out, "adapter", "verbena " + Version.number());
        row(out, "transport", "InfiniBand, reliable connection");
        row(out, "wire", "RoCEv2, UDP port " + Endpoint.ROCE_PORT + "; in-process");
        row(out, "max_qp", limits.queuePairs());
        row(out, "max_qp_wr", limits.queueCapacity());
        row(out, "max_cqe", limits.queueCapacity());
        row(out, "max_sge", limits.segments());
        row(out, "max_inline_data", limits.inlineBytes());
        row(out, "max_msg_sz", limits.messageBytes());
        row(out, "max_qp_rd_atom", limits.reads());
        row(out, "max_mr", limits.regions());
        row(out, "max_mw", limits.regions());
        row(out, "page_sizes", pageSizes());
        row(out, "paging", paging());
        row(out, "atomics", "fetch-add, compare-swap; of the processor");
        for (InetAddress address : addresses()) {
            port(out, address);
        }
    }

    private static String pageSizes() {
        return Arrays.stream(PageSize.values())
                .map(size -> Figures.size(size.bytes()))
                .collect(Collectors.joining(", "));
    }

    /** The capabilities of managed memory; {@code verbena memory} shows it under load. */
    private static String paging() {
        String policies = Arrays.stream(Hypervisor.Policy.values())
                .map(policy -> policy.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(" or "));
        return "pages of " + Figures.size(MachineMemory.FRAME) + " in at least "
                + Figures.size(HypervisorOptions.MEMORY_MIN) + ", " + policies + "; a fault may last "
                + OPTIONS.faultLimit().toSeconds() + " s";
    }

    /** Opens an adapter at an address for a moment, and prints its capabilities. */
    private static void port(PrintWriter out, InetAddress address) {
        out.println();
        row(out, "port", address.getHostAddress().replaceFirst("%.*", ""));
        try (Adapter adapter = Adapter.open(UdpNetwork.open(new Endpoint(address, 0)), OPTIONS)) {
            row(out, "  state", "usable");
            row(out, "  link", adapter.linkName());
            row(out, "  max_mtu", adapter.mtuMax().bytes());
        } catch (LinkException | IllegalStateException e) {
            row(out, "  state", "not usable: " + e.getMessage());
        }
    }

    private static void row(PrintWriter out, String name, Object value) {
        out.println(Figures.format("%-18s%s", name, value));
    }

    /** Of interfaces that are up; IPv4 first. An IPv6 address that needs a scope is of no use to RoCEv2's peers. */
    private static List<InetAddress> addresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(DevinfoCommand::isUp)
                    .flatMap(one -> one.getInterfaceAddresses().stream())
                    .map(InterfaceAddress::getAddress)
                    .filter(address -> !address.isLinkLocalAddress())
                    .sorted(Comparator.comparing((InetAddress address) -> address instanceof Inet6Address))
                    .toList();
        } catch (SocketException e) {
            return List.of(InetAddress.getLoopbackAddress());
        }
    }

    private static boolean isUp(NetworkInterface one) {
        try {
            return one.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
