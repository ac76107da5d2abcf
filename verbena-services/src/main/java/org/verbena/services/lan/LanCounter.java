package org.verbena.services.lan;

import org.verbena.trace.CounterName;
import org.verbena.trace.Unit;

/**
 * The statistics of a host's interface, as the host sees it: it receives (rx) what comes from the unit and transmits (tx) what it sends to the unit. A frame that is
 * to be cut in segments counts as one.
 */
public enum LanCounter implements CounterName {
    RX_PACKETS("rx_packets", Unit.FRAMES, "Frames sent to the host"),
    TX_PACKETS("tx_packets", Unit.FRAMES, "Frames taken from the host and forwarded"),
    RX_BYTES("rx_bytes", Unit.BYTES, "Bytes of the frames sent to the host, without offload headers"),
    TX_BYTES("tx_bytes", Unit.BYTES, "Bytes of the frames taken from the host, without offload headers"),
    MULTICAST("multicast", Unit.FRAMES, "Frames of groups sent to the host, without broadcast"),
    RX_BROADCAST("rx_broadcast", Unit.FRAMES, "Broadcast frames sent to the host"),
    TX_MULTICAST("tx_multicast", Unit.FRAMES, "Frames of groups taken from the host, without broadcast"),
    TX_BROADCAST("tx_broadcast", Unit.FRAMES, "Broadcast frames taken from the host"),
    RX_DROPPED("rx_dropped", Unit.FRAMES, "Frames for the host that were dropped, for any reason"),
    RX_ERRORS("rx_errors", Unit.FRAMES, "Data of the unit that the host's driver could not use"),
    RX_LENGTH_ERRORS("rx_length_errors", Unit.FRAMES, "Dropped: longer than the host's MTU or than its buffers"),
    RX_OVER_ERRORS("rx_over_errors", Unit.FRAMES, "Dropped: the host has no free buffer, and its queue is full"),
    RX_NO_BUFFER("rx_no_buffer", Unit.FRAMES, "Dropped: the host's share of the unit's send buffers is in use"),
    TX_DROPPED("tx_dropped", Unit.FRAMES, "Frames of the host that were dropped, for any reason"),
    TX_ERRORS("tx_errors", Unit.FRAMES, "Dropped: malformed, or behind an offload header that does not fit"),
    TX_LENGTH_ERRORS("tx_length_errors", Unit.FRAMES, "Dropped: longer than the host's MTU"),
    TX_SPOOFED("tx_spoofed", Unit.FRAMES, "Dropped: the source is not an address of the host"),
    TX_VLAN_ERRORS("tx_vlan_errors", Unit.FRAMES, "Dropped: of a VLAN that is not in the host's filter"),
    TX_FIFO_ERRORS("tx_fifo_errors", Unit.FRAMES, "Dropped: the LAN did not take the frame"),
    TX_SEGMENTED("tx_segmented", Unit.FRAMES, "Frames of the host that the unit cut in segments for the LAN"),
    TX_CHECKSUMS("tx_checksums", Unit.FRAMES, "Frames of the host whose checksum the unit completed for the LAN"),
    CARRIER_CHANGES("carrier_changes", Unit.EVENTS, "Changes of the host's carrier");

    private final String label;
    private final Unit unit;
    private final String help;

    LanCounter(String label, Unit unit, String help) {
        this.label = label;
        this.unit = unit;
        this.help = help;
    }

    @Override
    public Text text() {
        return new Text(label, unit, help);
    }

    @Override
    public String label() {
        return label;
    }
}
