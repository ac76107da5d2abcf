/**
 * Ethernet frames: their headers, a switch with a table of addresses, and the offloads of the {@code virtio_net_hdr} done in software. Start at {@link
 * org.verbena.services.ethernet.Switch} and {@link org.verbena.services.ethernet.Offload}.
 *
 * <p>Nothing here does I/O, allocates per frame or throws because of a frame's bytes. One thread at a time uses an object.
 */
@NullMarked
package org.verbena.services.ethernet;

import org.jspecify.annotations.NullMarked;
