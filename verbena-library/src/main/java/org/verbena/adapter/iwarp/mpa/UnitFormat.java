package org.verbena.adapter.iwarp.mpa;

import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.Marker;

/**
 * What the two sides agreed on for one direction of a stream.
 *
 * @param markers whether a marker stands every 512 bytes
 * @param crc whether units have check sums
 */
public record UnitFormat(boolean markers, boolean crc) {
    /** Bytes of the longest unit with its markers. */
    public static final int UNIT_MAX = Fpdu.length(Fpdu.LENGTH_FIELD_MAX)
            + Marker.LENGTH * (Fpdu.length(Fpdu.LENGTH_FIELD_MAX) / (Marker.INTERVAL - Marker.LENGTH) + 1);

    /** Markers within and before a unit of {@code length} bytes that begins at this position of the stream. */
    int markers(long position, int length) {
        return markers ? Marker.count(position, length) : 0;
    }

    /** Bytes of the marker that stands before the length field of a unit that begins at this position; 0 if there is none. */
    int markerBefore(long position) {
        return markers && Marker.distance(position) == 0 ? Marker.LENGTH : 0;
    }
}
