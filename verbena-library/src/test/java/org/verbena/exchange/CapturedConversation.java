package org.verbena.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Service;
import org.verbena.wire.pcap.PcapReader;

/**
 * What the client of a captured reliable connection asked for, and what the server, Linux, answered. Sequence numbers
 * count from the client's first request.
 */
public record CapturedConversation(List<WirePacket> requests, List<WirePacket> answers) {
    /** 198.51.100.12: the client in every capture. */
    private static final int CLIENT = 198 << 24 | 51 << 16 | 100 << 8 | 12;

    /** The conversation in a capture of the test resources. */
    public static CapturedConversation of(String name) {
        var requests = new ArrayList<WirePacket>();
        var answers = new ArrayList<WirePacket>();
        int first = -1;
        PcapReader reader = new PcapReader(MemorySegment.ofArray(bytesOf("/vectors/" + name + ".pcap")));
        while (reader.next()) {
            MemorySegment frame = reader.frame();
            RoceFrame headers = RoceFrame.read(frame);
            Opcode opcode = headers == null ? null : Opcode.of(Bth.opcode(frame, headers.packetAt()));
            if (headers == null || opcode == null || opcode.service() != Service.RC) {
                continue;
            }
            boolean fromClient = Objects.requireNonNull(headers.ipv4()).source() == CLIENT;
            int psn = Bth.psn(frame, headers.packetAt());
            if (fromClient && opcode.isRequest()) {
                first = first < 0 ? psn : first;
                requests.add(read(frame, headers, Psn.distance(first, psn)));
            } else if (!fromClient && opcode.isResponse()) {
                answers.add(read(frame, headers, Psn.distance(first, psn)));
            }
        }
        return new CapturedConversation(requests, answers);
    }

    private static WirePacket read(MemorySegment frame, RoceFrame headers, int psn) {
        return WirePacket.read(frame, headers.packetAt(), headers.packetLength(), psn);
    }

    private static byte[] bytesOf(String resource) {
        try (InputStream in = CapturedConversation.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
