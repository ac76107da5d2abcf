package org.verbena.replay;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;

/** One connection of a capture, seen from the side that is replaced. Linux gives both directions one source port. */
final class Conversation {
    private final List<CapturedPacket> packets;
    private final Side side;
    private final Map<Integer, CapturedPacket> ourRequests;
    private final Map<Integer, CapturedPacket> peerRequests;
    private final Map<Integer, CapturedPacket> ourAnswers = new HashMap<>();
    private final Map<Integer, CapturedPacket> peerAnswers = new HashMap<>();

    Conversation(List<CapturedPacket> packets, Side side) {
        this.packets = packets;
        this.side = side;
        this.ourRequests = requests(true);
        this.peerRequests = requests(false);
        packets.stream().filter(packet -> !packet.isRequest()).forEach(this::addAnswer);
    }

    private Map<Integer, CapturedPacket> requests(boolean ours) {
        Map<Integer, CapturedPacket> byPsn = new HashMap<>();
        packets.stream()
                .filter(packet -> packet.isRequest() && side.sent(packet) == ours)
                .forEach(packet -> byPsn.putIfAbsent(packet.psn(), packet));
        return byPsn;
    }

    /** Only answers with data are looked for later. */
    private void addAnswer(CapturedPacket packet) {
        if (packet.opcode() != Opcode.RC_ACKNOWLEDGE) {
            (side.sent(packet) ? ourAnswers : peerAnswers).put(packet.psn(), packet);
        }
    }

    private @Nullable CapturedPacket answer(CapturedPacket request, int packets) {
        int psn = Psn.add(request.psn(), packets);
        return side.sent(request) ? peerAnswers.get(psn) : ourAnswers.get(psn);
    }

    List<CapturedPacket> packets() {
        return packets;
    }

    /** A packet of the replaced side. */
    CapturedPacket oneOfOurs() {
        return packets.stream().filter(side::sent).findFirst().orElseThrow();
    }

    int ourNumber() {
        return packets.stream()
                .filter(packet -> !side.sent(packet))
                .findFirst()
                .orElseThrow()
                .queuePair();
    }

    int peerNumber() {
        return oneOfOurs().queuePair();
    }

    int ourFirstPsn() {
        return first(ourRequests.keySet());
    }

    int peerFirstPsn() {
        return first(peerRequests.keySet());
    }

    private static int first(Set<Integer> psns) {
        return psns.stream()
                .reduce((one, other) -> Psn.isBefore(one, other) ? one : other)
                .orElse(0);
    }

    /** The payload of packets that are neither a message's last nor its only one; the largest where there is none. */
    Mtu mtu() {
        return packets.stream()
                .filter(packet ->
                        packet.opcode().hasPayload() && !packet.opcode().endsMessage())
                .map(packet -> Objects.requireNonNull(Mtu.atMost(packet.fields().bytes().length)))
                .findFirst()
                .orElse(Mtu.MTU_4096);
    }

    /** The packets of the message that a request is part of. */
    List<CapturedPacket> message(CapturedPacket part) {
        Map<Integer, CapturedPacket> requests = side.sent(part) ? ourRequests : peerRequests;
        CapturedPacket packet = part;
        while (!packet.opcode().startsMessage()) {
            packet = Objects.requireNonNull(requests.get(Psn.previous(packet.psn())));
        }
        var message = new ArrayList<CapturedPacket>(List.of(packet));
        while (!packet.opcode().endsMessage()) {
            packet = Objects.requireNonNull(requests.get(Psn.next(packet.psn())));
            message.add(packet);
        }
        return message;
    }

    static byte[] payload(List<CapturedPacket> packets) {
        var bytes = new ByteArrayOutputStream();
        packets.forEach(packet -> bytes.writeBytes(packet.fields().bytes()));
        return bytes.toByteArray();
    }

    /** The data that answered a read or an atomic; shorter than asked for where it was refused. */
    byte[] answerTo(CapturedPacket request, int length) {
        var found = new ArrayList<CapturedPacket>();
        for (int i = 0; i < mtu().packets(length); i++) {
            CapturedPacket answer = answer(request, i);
            if (answer != null) {
                found.add(answer);
            }
        }
        return payload(found);
    }

    /** The value that an atomic found. */
    long original(CapturedPacket request) {
        CapturedPacket answer = Objects.requireNonNull(answer(request, 0));
        return Objects.requireNonNull(answer.fields().atomicAck()).original();
    }
}
