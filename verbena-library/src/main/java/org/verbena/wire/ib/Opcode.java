package org.verbena.wire.ib;

import static org.verbena.wire.ib.Extension.AETH;
import static org.verbena.wire.ib.Extension.ATOMIC_ACK_ETH;
import static org.verbena.wire.ib.Extension.ATOMIC_ETH;
import static org.verbena.wire.ib.Extension.CNP_RESERVED;
import static org.verbena.wire.ib.Extension.DETH;
import static org.verbena.wire.ib.Extension.FETH;
import static org.verbena.wire.ib.Extension.IETH;
import static org.verbena.wire.ib.Extension.IMMDT;
import static org.verbena.wire.ib.Extension.RDETH;
import static org.verbena.wire.ib.Extension.RETH;
import static org.verbena.wire.ib.Extension.XRCETH;
import static org.verbena.wire.ib.PacketKind.ACKNOWLEDGE;
import static org.verbena.wire.ib.PacketKind.ATOMIC_ACKNOWLEDGE;
import static org.verbena.wire.ib.PacketKind.ATOMIC_WRITE;
import static org.verbena.wire.ib.PacketKind.COMPARE_SWAP;
import static org.verbena.wire.ib.PacketKind.CONGESTION_NOTIFICATION;
import static org.verbena.wire.ib.PacketKind.FETCH_ADD;
import static org.verbena.wire.ib.PacketKind.FLUSH;
import static org.verbena.wire.ib.PacketKind.RDMA_READ_REQUEST;
import static org.verbena.wire.ib.PacketKind.RDMA_READ_RESPONSE;
import static org.verbena.wire.ib.PacketKind.RDMA_WRITE;
import static org.verbena.wire.ib.PacketKind.RESYNC;
import static org.verbena.wire.ib.PacketKind.SEND;
import static org.verbena.wire.ib.Position.FIRST;
import static org.verbena.wire.ib.Position.LAST;
import static org.verbena.wire.ib.Position.MIDDLE;
import static org.verbena.wire.ib.Position.ONLY;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Every opcode of the transport, a row each: code, kind, position in the message, and the headers that follow the
 * {@link Bth}, in order (specification, volume 1, table 38). All answers are computed once; asking allocates nothing.
 */
public enum Opcode {
    RC_SEND_FIRST(0x00, SEND, FIRST),
    RC_SEND_MIDDLE(0x01, SEND, MIDDLE),
    RC_SEND_LAST(0x02, SEND, LAST),
    RC_SEND_LAST_WITH_IMMEDIATE(0x03, SEND, LAST, IMMDT),
    RC_SEND_ONLY(0x04, SEND, ONLY),
    RC_SEND_ONLY_WITH_IMMEDIATE(0x05, SEND, ONLY, IMMDT),
    RC_RDMA_WRITE_FIRST(0x06, RDMA_WRITE, FIRST, RETH),
    RC_RDMA_WRITE_MIDDLE(0x07, RDMA_WRITE, MIDDLE),
    RC_RDMA_WRITE_LAST(0x08, RDMA_WRITE, LAST),
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x09, RDMA_WRITE, LAST, IMMDT),
    RC_RDMA_WRITE_ONLY(0x0a, RDMA_WRITE, ONLY, RETH),
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x0b, RDMA_WRITE, ONLY, RETH, IMMDT),
    RC_RDMA_READ_REQUEST(0x0c, RDMA_READ_REQUEST, ONLY, RETH),
    RC_RDMA_READ_RESPONSE_FIRST(0x0d, RDMA_READ_RESPONSE, FIRST, AETH),
    RC_RDMA_READ_RESPONSE_MIDDLE(0x0e, RDMA_READ_RESPONSE, MIDDLE),
    RC_RDMA_READ_RESPONSE_LAST(0x0f, RDMA_READ_RESPONSE, LAST, AETH),
    RC_RDMA_READ_RESPONSE_ONLY(0x10, RDMA_READ_RESPONSE, ONLY, AETH),
    RC_ACKNOWLEDGE(0x11, ACKNOWLEDGE, ONLY, AETH),
    RC_ATOMIC_ACKNOWLEDGE(0x12, ATOMIC_ACKNOWLEDGE, ONLY, AETH, ATOMIC_ACK_ETH),
    RC_COMPARE_SWAP(0x13, COMPARE_SWAP, ONLY, ATOMIC_ETH),
    RC_FETCH_ADD(0x14, FETCH_ADD, ONLY, ATOMIC_ETH),
    RC_SEND_LAST_WITH_INVALIDATE(0x16, SEND, LAST, IETH),
    RC_SEND_ONLY_WITH_INVALIDATE(0x17, SEND, ONLY, IETH),
    RC_FLUSH(0x1c, FLUSH, ONLY, FETH, RETH),
    RC_ATOMIC_WRITE(0x1d, ATOMIC_WRITE, ONLY, RETH),

    UC_SEND_FIRST(0x20, SEND, FIRST),
    UC_SEND_MIDDLE(0x21, SEND, MIDDLE),
    UC_SEND_LAST(0x22, SEND, LAST),
    UC_SEND_LAST_WITH_IMMEDIATE(0x23, SEND, LAST, IMMDT),
    UC_SEND_ONLY(0x24, SEND, ONLY),
    UC_SEND_ONLY_WITH_IMMEDIATE(0x25, SEND, ONLY, IMMDT),
    UC_RDMA_WRITE_FIRST(0x26, RDMA_WRITE, FIRST, RETH),
    UC_RDMA_WRITE_MIDDLE(0x27, RDMA_WRITE, MIDDLE),
    UC_RDMA_WRITE_LAST(0x28, RDMA_WRITE, LAST),
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x29, RDMA_WRITE, LAST, IMMDT),
    UC_RDMA_WRITE_ONLY(0x2a, RDMA_WRITE, ONLY, RETH),
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x2b, RDMA_WRITE, ONLY, RETH, IMMDT),

    RD_SEND_FIRST(0x40, SEND, FIRST, RDETH, DETH),
    RD_SEND_MIDDLE(0x41, SEND, MIDDLE, RDETH, DETH),
    RD_SEND_LAST(0x42, SEND, LAST, RDETH, DETH),
    RD_SEND_LAST_WITH_IMMEDIATE(0x43, SEND, LAST, RDETH, DETH, IMMDT),
    RD_SEND_ONLY(0x44, SEND, ONLY, RDETH, DETH),
    RD_SEND_ONLY_WITH_IMMEDIATE(0x45, SEND, ONLY, RDETH, DETH, IMMDT),
    RD_RDMA_WRITE_FIRST(0x46, RDMA_WRITE, FIRST, RDETH, DETH, RETH),
    RD_RDMA_WRITE_MIDDLE(0x47, RDMA_WRITE, MIDDLE, RDETH, DETH),
    RD_RDMA_WRITE_LAST(0x48, RDMA_WRITE, LAST, RDETH, DETH),
    RD_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x49, RDMA_WRITE, LAST, RDETH, DETH, IMMDT),
    RD_RDMA_WRITE_ONLY(0x4a, RDMA_WRITE, ONLY, RDETH, DETH, RETH),
    RD_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x4b, RDMA_WRITE, ONLY, RDETH, DETH, RETH, IMMDT),
    RD_RDMA_READ_REQUEST(0x4c, RDMA_READ_REQUEST, ONLY, RDETH, DETH, RETH),
    RD_RDMA_READ_RESPONSE_FIRST(0x4d, RDMA_READ_RESPONSE, FIRST, RDETH, AETH),
    RD_RDMA_READ_RESPONSE_MIDDLE(0x4e, RDMA_READ_RESPONSE, MIDDLE, RDETH),
    RD_RDMA_READ_RESPONSE_LAST(0x4f, RDMA_READ_RESPONSE, LAST, RDETH, AETH),
    RD_RDMA_READ_RESPONSE_ONLY(0x50, RDMA_READ_RESPONSE, ONLY, RDETH, AETH),
    RD_ACKNOWLEDGE(0x51, ACKNOWLEDGE, ONLY, RDETH, AETH),
    RD_ATOMIC_ACKNOWLEDGE(0x52, ATOMIC_ACKNOWLEDGE, ONLY, RDETH, AETH, ATOMIC_ACK_ETH),
    RD_COMPARE_SWAP(0x53, COMPARE_SWAP, ONLY, RDETH, DETH, ATOMIC_ETH),
    RD_FETCH_ADD(0x54, FETCH_ADD, ONLY, RDETH, DETH, ATOMIC_ETH),
    RD_RESYNC(0x55, RESYNC, ONLY, RDETH, DETH),

    UD_SEND_ONLY(0x64, SEND, ONLY, DETH),
    UD_SEND_ONLY_WITH_IMMEDIATE(0x65, SEND, ONLY, DETH, IMMDT),

    CNP(0x81, CONGESTION_NOTIFICATION, ONLY, CNP_RESERVED),

    XRC_SEND_FIRST(0xa0, SEND, FIRST, XRCETH),
    XRC_SEND_MIDDLE(0xa1, SEND, MIDDLE, XRCETH),
    XRC_SEND_LAST(0xa2, SEND, LAST, XRCETH),
    XRC_SEND_LAST_WITH_IMMEDIATE(0xa3, SEND, LAST, XRCETH, IMMDT),
    XRC_SEND_ONLY(0xa4, SEND, ONLY, XRCETH),
    XRC_SEND_ONLY_WITH_IMMEDIATE(0xa5, SEND, ONLY, XRCETH, IMMDT),
    XRC_RDMA_WRITE_FIRST(0xa6, RDMA_WRITE, FIRST, XRCETH, RETH),
    XRC_RDMA_WRITE_MIDDLE(0xa7, RDMA_WRITE, MIDDLE, XRCETH),
    XRC_RDMA_WRITE_LAST(0xa8, RDMA_WRITE, LAST, XRCETH),
    XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0xa9, RDMA_WRITE, LAST, XRCETH, IMMDT),
    XRC_RDMA_WRITE_ONLY(0xaa, RDMA_WRITE, ONLY, XRCETH, RETH),
    XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0xab, RDMA_WRITE, ONLY, XRCETH, RETH, IMMDT),
    XRC_RDMA_READ_REQUEST(0xac, RDMA_READ_REQUEST, ONLY, XRCETH, RETH),
    XRC_RDMA_READ_RESPONSE_FIRST(0xad, RDMA_READ_RESPONSE, FIRST, AETH),
    XRC_RDMA_READ_RESPONSE_MIDDLE(0xae, RDMA_READ_RESPONSE, MIDDLE),
    XRC_RDMA_READ_RESPONSE_LAST(0xaf, RDMA_READ_RESPONSE, LAST, AETH),
    XRC_RDMA_READ_RESPONSE_ONLY(0xb0, RDMA_READ_RESPONSE, ONLY, AETH),
    XRC_ACKNOWLEDGE(0xb1, ACKNOWLEDGE, ONLY, AETH),
    XRC_ATOMIC_ACKNOWLEDGE(0xb2, ATOMIC_ACKNOWLEDGE, ONLY, AETH, ATOMIC_ACK_ETH),
    XRC_COMPARE_SWAP(0xb3, COMPARE_SWAP, ONLY, XRCETH, ATOMIC_ETH),
    XRC_FETCH_ADD(0xb4, FETCH_ADD, ONLY, XRCETH, ATOMIC_ETH),
    XRC_SEND_LAST_WITH_INVALIDATE(0xb6, SEND, LAST, XRCETH, IETH),
    XRC_SEND_ONLY_WITH_INVALIDATE(0xb7, SEND, ONLY, XRCETH, IETH);

    private static final int ABSENT = -1;
    private static final int WORD = 4;
    private static final int OFFSET_BITS = 4;
    private static final int OFFSET_MASK = 0xf;
    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[256];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final TransportService service;
    private final PacketKind kind;
    private final Position position;
    /** Four bits for each extension, at its place: its offset in words of four bytes; 0 where absent. */
    private final long offsets;

    private final int headerLength;
    private final boolean request;
    private final boolean response;
    private final boolean payload;

    Opcode(int code, PacketKind kind, Position position, Extension... extensions) {
        this.code = code;
        this.service = Objects.requireNonNull(TransportService.ofOpcode(code));
        this.kind = kind;
        this.position = position;
        this.request = kind.isRequest();
        this.response = kind.isResponse();
        this.payload = kind.hasPayload();
        int length = Bth.LENGTH;
        long packed = 0;
        for (Extension extension : extensions) {
            packed |= (long) (length / WORD) << (extension.place() * OFFSET_BITS);
            length += extension.length();
        }
        this.offsets = packed;
        this.headerLength = length;
    }

    /** The row of a code (its low eight bits), or null if the specification assigns none. */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** The eight bits on the wire. */
    public int code() {
        return code;
    }

    /** The transport service it belongs to. */
    public TransportService service() {
        return service;
    }

    /** What the packet carries. */
    public PacketKind kind() {
        return kind;
    }

    /** Where in its message the packet stands. */
    public Position position() {
        return position;
    }

    /** The headers between {@link Bth} and payload, in order. Made anew on each call. */
    public List<Extension> extensions() {
        return Arrays.stream(Extension.values()).filter(this::carries).toList();
    }

    /** Bytes of all headers, the {@link Bth} included. */
    public int headerLength() {
        return headerLength;
    }

    /** Bytes from the start of the {@link Bth} to a header, or −1 if this opcode has none such. */
    public int offsetOf(Extension extension) {
        int words = words(extension);
        return words == 0 ? ABSENT : words * WORD;
    }

    /** Whether the headers have such a one. */
    public boolean carries(Extension extension) {
        return words(extension) != 0;
    }

    private int words(Extension extension) {
        return (int) (offsets >>> (extension.place() * OFFSET_BITS)) & OFFSET_MASK;
    }

    /** Whether the headers have a {@link Reth}. */
    public boolean carriesReth() {
        return carries(RETH);
    }

    /** Whether the headers have an {@link Aeth}. */
    public boolean carriesAeth() {
        return carries(AETH);
    }

    /** Whether the headers have immediate data. */
    public boolean carriesImmediate() {
        return carries(IMMDT);
    }

    /** Whether the headers name a key to invalidate. */
    public boolean carriesInvalidate() {
        return carries(IETH);
    }

    /** Whether a requester sends it. */
    public boolean isRequest() {
        return request;
    }

    /** Whether a responder sends it. */
    public boolean isResponse() {
        return response;
    }

    /** Whether it is a fetch-and-add or a compare-and-swap. */
    public boolean isAtomic() {
        return carries(ATOMIC_ETH);
    }

    /** Whether the packet may have a payload. */
    public boolean hasPayload() {
        return payload;
    }

    /** Whether a message begins with this packet. */
    public boolean startsMessage() {
        return position.startsMessage();
    }

    /** Whether a message ends with this packet. */
    public boolean endsMessage() {
        return position.endsMessage();
    }

    /**
     * Payload bytes of a packet of {@code packetLength} bytes, {@link Bth} to {@link Icrc} inclusive, of which
     * {@code padCount} are padding. Negative if the packet is too short for its headers: this is the one check of length
     * a packet needs.
     */
    public int payloadLength(int packetLength, int padCount) {
        return packetLength - headerLength - padCount - Icrc.LENGTH;
    }
}
