package org.verbena.services.lan;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.services.ethernet.AddressVerdict;
import org.verbena.services.ethernet.Switch;
import org.verbena.services.lan.wire.AttachReply;
import org.verbena.services.lan.wire.AttachRequest;
import org.verbena.services.lan.wire.ConfigFields;
import org.verbena.services.lan.wire.FilterRequest;
import org.verbena.services.lan.wire.LanOperation;
import org.verbena.services.lan.wire.LanStatus;
import org.verbena.services.lan.wire.StatisticsPage;
import org.verbena.services.push.ServiceReply;

/** Answers the configuration requests of one host's connection. A request that is refused changes nothing; the reply says why. */
final class UnitConfiguration {
    /** The unit, as the configuration of one host sees it. */
    interface Owner {
        /** The unit's options. */
        UnitOptions options();

        /** The switch. */
        Switch fabric();

        /** Whether the LAN is up. */
        boolean isLanUp();

        /** The largest MTU that a host can have now. */
        int mtuMax();

        /** An address that no host has. */
        long newAddress();

        /** Ends the connection of the host with this identity, if there is one. */
        void endOld(long identity);

        /** A host is attached. */
        UnitHost attach(int port, AttachRequest request, long address, int mtu, boolean offloads);
    }

    private final Owner owner;
    private @Nullable UnitHost host;
    private long[] statisticsBase = {};

    UnitConfiguration(Owner owner) {
        this.owner = owner;
    }

    /** The host; null before it is attached. */
    @Nullable
    UnitHost host() {
        return host;
    }

    /** Forgets the host. */
    void detach() {
        UnitHost left = host;
        host = null;
        if (left != null) {
            owner.fabric().detach(left.port);
        }
    }

    /** Answers a request; the status of the reply. */
    int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
        if (operation == LanOperation.ATTACH) {
            return attach(AttachRequest.read(request, offset, length), length, reply);
        }
        if (operation < LanOperation.ATTACH || operation > LanOperation.RESET) {
            return refuse(
                    reply,
                    LanStatus.UNKNOWN,
                    "operations 0x100 … 0x108 expected; found 0x" + Integer.toHexString(operation));
        }
        UnitHost attached = host;
        if (attached == null) {
            return refuse(reply, LanStatus.WRONG_STATE, "the host is not attached");
        }
        return switch (operation) {
            case LanOperation.SET_MAC, LanOperation.ADD_MAC, LanOperation.REMOVE_MAC ->
                address(attached, operation, ConfigFields.readAddress(request, offset, length), length, reply);
            case LanOperation.SET_MTU -> mtu(attached, ConfigFields.readNumber(request, offset, length), length, reply);
            case LanOperation.SET_FILTER ->
                filter(attached, FilterRequest.read(request, offset, length), length, reply);
            case LanOperation.LINK_STATE -> {
                if (length != 0) {
                    yield malformed(reply, "LINK_STATE", length);
                }
                reply.length(ConfigFields.writeNumber(reply.memory(), reply.offset(), owner.isLanUp() ? 1 : 0));
                yield LanStatus.OK;
            }
            case LanOperation.STATISTICS ->
                statistics(attached, ConfigFields.readNumber(request, offset, length), length, reply);
            default -> length == 0 ? reset(attached) : malformed(reply, "RESET", length);
        };
    }

    private static int refuse(ServiceReply reply, int status, String reason) {
        reply.length(ConfigFields.writeReason(reply.memory(), reply.offset(), reply.room(), reason));
        return status;
    }

    private static int malformed(ServiceReply reply, String what, int length) {
        return refuse(reply, LanStatus.MALFORMED, "the " + length + " bytes of " + what + " are not well-formed");
    }

    // --- attach

    private int attach(@Nullable AttachRequest request, int length, ServiceReply reply) {
        if (request == null) {
            return malformed(reply, "ATTACH (version " + AttachRequest.VERSION + ")", length);
        }
        if (host != null) {
            return refuse(reply, LanStatus.WRONG_STATE, "the host is attached already");
        }
        if (request.mtu() < LanSizes.MTU_MIN) {
            return refuse(reply, LanStatus.OUT_OF_RANGE, mtuExpected(request.mtu()));
        }
        if (request.address() != 0 && !owner.options().addressesChosen()) {
            return refuse(reply, LanStatus.NOT_PERMITTED, "the unit assigns addresses; expected 00:00:00:00:00:00");
        }
        owner.endOld(request.identity());
        int port = owner.fabric().attach();
        if (port < 0) {
            return refuse(
                    reply, LanStatus.TOO_MANY, "the unit has " + owner.options().hostsMax() + " hosts already");
        }
        long address = request.address() != 0 ? request.address() : owner.newAddress();
        AddressVerdict verdict = owner.fabric().addAddress(port, address);
        if (verdict != AddressVerdict.TAKEN) {
            owner.fabric().detach(port);
            return refused(verdict, address, reply);
        }
        int mtu = Math.min(request.mtu(), owner.mtuMax());
        boolean offloads = request.offloads() && owner.options().offloads();
        host = owner.attach(port, request, address, mtu, offloads);
        statisticsBase = new long[LanCounter.values().length];
        AttachReply answer = new AttachReply(
                offloads, owner.isLanUp(), mtu, address, owner.options().name());
        reply.length(answer.write(reply.memory(), reply.offset()));
        return LanStatus.OK;
    }

    private String mtuExpected(int found) {
        return "an MTU " + LanSizes.MTU_MIN + " … " + owner.mtuMax() + " expected; found " + found;
    }

    private static int refused(AddressVerdict verdict, long address, ServiceReply reply) {
        String text = new MacAddress(address).toString();
        return switch (verdict) {
            case NO_STATION ->
                refuse(reply, LanStatus.OUT_OF_RANGE, "the address of a station expected; found " + text);
            case OF_ANOTHER -> refuse(reply, LanStatus.ADDRESS_IN_USE, "another host has the address " + text);
            case TOO_MANY ->
                refuse(reply, LanStatus.TOO_MANY, "the host has " + Switch.ADDRESSES_MAX + " addresses already");
            case TAKEN -> LanStatus.OK;
        };
    }

    // --- what an attached host asks for

    private int address(UnitHost attached, int operation, long address, int length, ServiceReply reply) {
        if (address == ConfigFields.MALFORMED) {
            return malformed(reply, "an address", length);
        }
        Switch fabric = owner.fabric();
        if (operation == LanOperation.REMOVE_MAC) {
            if (address == attached.address) {
                return refuse(reply, LanStatus.OUT_OF_RANGE, "the first address can be changed, not removed");
            }
            return fabric.removeAddress(attached.port, address)
                    ? LanStatus.OK
                    : refuse(reply, LanStatus.OUT_OF_RANGE, "the host does not have " + new MacAddress(address));
        }
        if (!owner.options().addressesChosen()) {
            return refuse(reply, LanStatus.NOT_PERMITTED, "the unit assigns addresses");
        }
        return operation == LanOperation.ADD_MAC
                ? refused(fabric.addAddress(attached.port, address), address, reply)
                : setAddress(attached, address, reply);
    }

    private int setAddress(UnitHost attached, long address, ServiceReply reply) {
        if (address == attached.address) {
            return LanStatus.OK;
        }
        Switch fabric = owner.fabric();
        fabric.removeAddress(attached.port, attached.address);
        AddressVerdict verdict = fabric.addAddress(attached.port, address);
        if (verdict == AddressVerdict.TAKEN) {
            attached.address = address;
        } else {
            fabric.addAddress(attached.port, attached.address);
        }
        return refused(verdict, address, reply);
    }

    private int mtu(UnitHost attached, int mtu, int length, ServiceReply reply) {
        if (mtu == ConfigFields.MALFORMED) {
            return malformed(reply, "SET_MTU", length);
        }
        if (mtu < LanSizes.MTU_MIN || mtu > owner.mtuMax()) {
            return refuse(reply, LanStatus.OUT_OF_RANGE, mtuExpected(mtu));
        }
        attached.mtu = mtu;
        return LanStatus.OK;
    }

    private int filter(UnitHost attached, @Nullable FilterRequest filter, int length, ServiceReply reply) {
        if (filter == null) {
            return malformed(reply, "SET_FILTER", length);
        }
        owner.fabric()
                .filter(
                        attached.port,
                        filter.promiscuous(),
                        filter.allMulticast(),
                        filter.broadcast(),
                        filter.groups(),
                        filter.vlans());
        return LanStatus.OK;
    }

    private int statistics(UnitHost attached, int first, int length, ServiceReply reply) {
        if (first == ConfigFields.MALFORMED) {
            return malformed(reply, "STATISTICS", length);
        }
        List<StatisticsPage.Entry> all = new ArrayList<>();
        for (LanCounter counter : LanCounter.values()) {
            long value = attached.counters.value(counter) - statisticsBase[counter.ordinal()];
            all.add(new StatisticsPage.Entry(counter.label(), value));
        }
        StatisticsPage page = StatisticsPage.of(all, first, reply.room());
        reply.length(page.write(reply.memory(), reply.offset()));
        return LanStatus.OK;
    }

    private int reset(UnitHost attached) {
        Switch fabric = owner.fabric();
        fabric.resetFilter(attached.port);
        for (long address : fabric.addresses(attached.port)) {
            if (address != attached.addressFirst) {
                fabric.removeAddress(attached.port, address);
            }
        }
        // Another host may have taken it meanwhile: then the host keeps the address it has.
        if (fabric.addAddress(attached.port, attached.addressFirst) == AddressVerdict.TAKEN) {
            attached.address = attached.addressFirst;
        } else {
            fabric.addAddress(attached.port, attached.address);
        }
        attached.mtu = Math.min(attached.mtuFirst, owner.mtuMax());
        for (LanCounter counter : LanCounter.values()) {
            statisticsBase[counter.ordinal()] = attached.counters.value(counter);
        }
        return LanStatus.OK;
    }
}
