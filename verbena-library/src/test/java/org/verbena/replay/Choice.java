package org.verbena.replay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Syndrome;

/**
 * Where the standard leaves a choice, or Linux does not follow it, and we do otherwise: what Linux sent becomes what is
 * expected of us. docs/reference/conformance.md says why.
 */
enum Choice {
    /** A send longer than its receive is an invalid request; Linux calls it a remote operational error. */
    TOO_LONG_IS_INVALID_REQUEST {
        @Override
        List<CapturedPacket> ours(List<CapturedPacket> answers) {
            return answers.stream().map(Choice::invalidRequest).toList();
        }
    },
    /** What follows a packet that met no receive gets no answer; Linux sends a sequence NAK behind the RNR NAK. */
    SILENCE_BEHIND_RNR {
        @Override
        List<CapturedPacket> ours(List<CapturedPacket> answers) {
            var kept = new ArrayList<CapturedPacket>();
            for (CapturedPacket answer : answers) {
                boolean tells = !kept.isEmpty()
                        && Syndrome.isRnrNak(syndrome(kept.getLast()))
                        && syndrome(answer) == Syndrome.nak(NakCode.PSN_SEQUENCE_ERROR)
                        && answer.psn() == kept.getLast().psn();
                if (!tells) {
                    kept.add(answer);
                }
            }
            return kept;
        }
    },
    /** A packet is sent once; Linux now and then sends one twice without need. */
    SENT_ONCE {
        @Override
        List<CapturedPacket> ours(List<CapturedPacket> packets) {
            var kept = new ArrayList<CapturedPacket>();
            for (CapturedPacket packet : packets) {
                boolean twice = packet.isRequest()
                        && !kept.isEmpty()
                        && packet.bytes().equals(kept.getLast().bytes());
                if (!twice) {
                    kept.add(packet);
                }
            }
            return kept;
        }
    };

    /** The requests or the answers expected of us, made of those that Linux sent. */
    abstract List<CapturedPacket> ours(List<CapturedPacket> packets);

    private static CapturedPacket invalidRequest(CapturedPacket answer) {
        if (syndrome(answer) != Syndrome.nak(NakCode.REMOTE_OPERATIONAL_ERROR)) {
            return answer;
        }
        ByteBuffer changed = ByteBuffer.allocate(answer.bytes().capacity())
                .put(0, answer.bytes(), 0, answer.bytes().capacity())
                .put(Bth.LENGTH, (byte) Syndrome.nak(NakCode.INVALID_REQUEST));
        return answer.sealedAgain(changed);
    }

    private static int syndrome(CapturedPacket answer) {
        Aeth aeth = answer.fields().aeth();
        return aeth == null ? Syndrome.ack(0) : aeth.syndrome();
    }
}
