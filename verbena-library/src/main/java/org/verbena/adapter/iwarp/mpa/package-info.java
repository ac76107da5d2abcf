/**
 * MPA: finds the boundaries of DDP segments in a byte stream, and opens connections (RFC 5044, RFC 6581).
 *
 * <p>Start at {@link org.verbena.adapter.iwarp.mpa.Negotiation}, which exchanges the frames that open a connection. Then
 * {@link org.verbena.adapter.iwarp.mpa.UnitWriter} makes units of segments, and {@link org.verbena.adapter.iwarp.mpa.UnitReader}
 * makes segments of the bytes that arrive, in whatever pieces. No I/O, no time, no threads: the engine's thread calls. Nothing is
 * allocated per unit.
 */
@NullMarked
package org.verbena.adapter.iwarp.mpa;

import org.jspecify.annotations.NullMarked;
