package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.manager.PathAnswer.Path;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.ClassPortInfo;
import org.verbena.wire.subnet.McMemberRecord;
import org.verbena.wire.subnet.NodeDescription;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.PathRecord;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.SaHeader;
import org.verbena.wire.subnet.SaRecords;

/** The subnet administration: answers questions of consumers about the subnet, and keeps the multicast groups. */
final class SubnetAdministration {
    private static final int RESPONSE_TIME = 18;
    private static final int UNIT = 8;

    private final PathAnswer paths;
    private final GroupAnswer members;

    SubnetAdministration(ManagerOptions options, MulticastGroups groups) {
        this.paths = new PathAnswer(options);
        this.members = new GroupAnswer(options, groups, paths);
    }

    /** Writes the answer to a request. */
    void answer(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        reply.copyFrom(request.asSlice(0, Mad.LENGTH));
        int method = SaHeader.METHOD.read(request, 0);
        SaHeader.METHOD.write(reply, 0, method | SaHeader.RESPONSE_BIT);
        SaHeader.STATUS.write(reply, 0, status(subnet, method, request, reply));
    }

    private int status(KnownSubnet subnet, int method, MemorySegment request, MemorySegment reply) {
        if (SaHeader.CLASS_VERSION.read(request, 0) != SaHeader.VERSION) {
            return SaHeader.STATUS_BAD_VERSION;
        }
        return switch (method) {
            case SaHeader.METHOD_GET -> get(subnet, request, reply);
            case SaHeader.METHOD_SET, SaHeader.METHOD_DELETE -> {
                if (SaHeader.ATTRIBUTE.read(request, 0) != McMemberRecord.ATTRIBUTE) {
                    yield SaHeader.STATUS_BAD_ATTRIBUTE;
                }
                offset(reply, McMemberRecord.OFFSET);
                yield method == SaHeader.METHOD_SET
                        ? members.join(subnet, request, reply)
                        : members.leave(subnet, request, reply);
            }
            case SaHeader.METHOD_GET_TABLE -> SaHeader.STATUS_BAD_ATTRIBUTE;
            default -> SaHeader.STATUS_BAD_METHOD;
        };
    }

    private int get(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        return switch (SaHeader.ATTRIBUTE.read(request, 0)) {
            case ClassPortInfo.ATTRIBUTE -> {
                reply.asSlice(SaHeader.DATA, SaHeader.DATA_LENGTH).fill((byte) 0);
                ClassPortInfo.BASE_VERSION.write(reply, SaHeader.DATA, Mad.BASE_VERSION);
                ClassPortInfo.CLASS_VERSION.write(reply, SaHeader.DATA, SaHeader.VERSION);
                ClassPortInfo.RESPONSE_TIME.write(reply, SaHeader.DATA, RESPONSE_TIME);
                yield SaHeader.STATUS_GOOD;
            }
            case PathRecord.ATTRIBUTE -> {
                offset(reply, PathRecord.LENGTH);
                yield path(subnet, request, reply);
            }
            case McMemberRecord.ATTRIBUTE -> {
                offset(reply, McMemberRecord.OFFSET);
                yield members.find(subnet, request, reply);
            }
            case SaRecords.NODE -> node(subnet, request, reply);
            case SaRecords.PORT -> port(subnet, request, reply);
            default -> SaHeader.STATUS_BAD_ATTRIBUTE;
        };
    }

    private static void offset(MemorySegment reply, int recordLength) {
        SaHeader.ATTRIBUTE_OFFSET.write(reply, 0, recordLength / UNIT);
    }

    private int path(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        Path path = paths.find(subnet, request);
        if (path.status() == SaHeader.STATUS_GOOD) {
            paths.write(path, reply);
        }
        return path.status();
    }

    private static int node(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        KnownPort port = byLid(subnet, request);
        if (port == null) {
            return lidStatus(request);
        }
        offset(reply, SaRecords.NODE_LENGTH);
        SaRecords.LID.write(reply, SaHeader.DATA, port.lid);
        long at = SaHeader.DATA + SaRecords.NODE_IDENTITY;
        MemorySegment.copy(port.node.identity, 0, reply, at, NodeInfo.LENGTH);
        NodeInfo.PORT_GUID.write(reply, at, port.guid);
        NodeInfo.LOCAL_PORT.write(reply, at, port.number);
        NodeDescription.write(reply, SaHeader.DATA + SaRecords.NODE_DESCRIPTION, port.node.description);
        return SaHeader.STATUS_GOOD;
    }

    private static int port(KnownSubnet subnet, MemorySegment request, MemorySegment reply) {
        KnownPort end = byLid(subnet, request);
        if (end == null) {
            return lidStatus(request);
        }
        boolean numbered = (SaHeader.COMPONENT_MASK.read(request, 0) & SaRecords.MASK_PORT) != 0;
        KnownPort port = numbered ? end.node.port(SaRecords.PORT_NUMBER.read(request, SaHeader.DATA)) : end;
        if (port == null) {
            return SaHeader.STATUS_NO_RECORDS;
        }
        offset(reply, SaRecords.PORT_LENGTH);
        SaRecords.LID.write(reply, SaHeader.DATA, end.lid);
        SaRecords.PORT_NUMBER.write(reply, SaHeader.DATA, port.number);
        long at = SaHeader.DATA + SaRecords.PORT_REGISTERS;
        MemorySegment.copy(port.registers, 0, reply, at, PortInfo.LENGTH);
        // A consumer must not learn the key.
        PortInfo.MANAGEMENT_KEY.write(reply, at, 0);
        return SaHeader.STATUS_GOOD;
    }

    private static @Nullable KnownPort byLid(KnownSubnet subnet, MemorySegment request) {
        boolean given = (SaHeader.COMPONENT_MASK.read(request, 0) & SaRecords.MASK_LID) != 0;
        return given ? subnet.end(SaRecords.LID.read(request, SaHeader.DATA)) : null;
    }

    private static int lidStatus(MemorySegment request) {
        return (SaHeader.COMPONENT_MASK.read(request, 0) & SaRecords.MASK_LID) == 0
                ? SaHeader.STATUS_INSUFFICIENT_COMPONENTS
                : SaHeader.STATUS_NO_RECORDS;
    }
}
